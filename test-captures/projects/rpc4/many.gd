# SPDX-License-Identifier: GPL-2.0-or-later
# More than 255 remote methods, so that method ids of two bytes occur.
extends Node


@rpc("any_peer")
func m000() -> void:
	Log.called(self, "m000")


@rpc("any_peer")
func m001() -> void:
	Log.called(self, "m001")


@rpc("any_peer")
func m002() -> void:
	Log.called(self, "m002")


@rpc("any_peer")
func m003() -> void:
	Log.called(self, "m003")


@rpc("any_peer")
func m004() -> void:
	Log.called(self, "m004")


@rpc("any_peer")
func m005() -> void:
	Log.called(self, "m005")


@rpc("any_peer")
func m006() -> void:
	Log.called(self, "m006")


@rpc("any_peer")
func m007() -> void:
	Log.called(self, "m007")


@rpc("any_peer")
func m008() -> void:
	Log.called(self, "m008")


@rpc("any_peer")
func m009() -> void:
	Log.called(self, "m009")


@rpc("any_peer")
func m010() -> void:
	Log.called(self, "m010")


@rpc("any_peer")
func m011() -> void:
	Log.called(self, "m011")


@rpc("any_peer")
func m012() -> void:
	Log.called(self, "m012")


@rpc("any_peer")
func m013() -> void:
	Log.called(self, "m013")


@rpc("any_peer")
func m014() -> void:
	Log.called(self, "m014")


@rpc("any_peer")
func m015() -> void:
	Log.called(self, "m015")


@rpc("any_peer")
func m016() -> void:
	Log.called(self, "m016")


@rpc("any_peer")
func m017() -> void:
	Log.called(self, "m017")


@rpc("any_peer")
func m018() -> void:
	Log.called(self, "m018")


@rpc("any_peer")
func m019() -> void:
	Log.called(self, "m019")


@rpc("any_peer")
func m020() -> void:
	Log.called(self, "m020")


@rpc("any_peer")
func m021() -> void:
	Log.called(self, "m021")


@rpc("any_peer")
func m022() -> void:
	Log.called(self, "m022")


@rpc("any_peer")
func m023() -> void:
	Log.called(self, "m023")


@rpc("any_peer")
func m024() -> void:
	Log.called(self, "m024")


@rpc("any_peer")
func m025() -> void:
	Log.called(self, "m025")


@rpc("any_peer")
func m026() -> void:
	Log.called(self, "m026")


@rpc("any_peer")
func m027() -> void:
	Log.called(self, "m027")


@rpc("any_peer")
func m028() -> void:
	Log.called(self, "m028")


@rpc("any_peer")
func m029() -> void:
	Log.called(self, "m029")


@rpc("any_peer")
func m030() -> void:
	Log.called(self, "m030")


@rpc("any_peer")
func m031() -> void:
	Log.called(self, "m031")


@rpc("any_peer")
func m032() -> void:
	Log.called(self, "m032")


@rpc("any_peer")
func m033() -> void:
	Log.called(self, "m033")


@rpc("any_peer")
func m034() -> void:
	Log.called(self, "m034")


@rpc("any_peer")
func m035() -> void:
	Log.called(self, "m035")


@rpc("any_peer")
func m036() -> void:
	Log.called(self, "m036")


@rpc("any_peer")
func m037() -> void:
	Log.called(self, "m037")


@rpc("any_peer")
func m038() -> void:
	Log.called(self, "m038")


@rpc("any_peer")
func m039() -> void:
	Log.called(self, "m039")


@rpc("any_peer")
func m040() -> void:
	Log.called(self, "m040")


@rpc("any_peer")
func m041() -> void:
	Log.called(self, "m041")


@rpc("any_peer")
func m042() -> void:
	Log.called(self, "m042")


@rpc("any_peer")
func m043() -> void:
	Log.called(self, "m043")


@rpc("any_peer")
func m044() -> void:
	Log.called(self, "m044")


@rpc("any_peer")
func m045() -> void:
	Log.called(self, "m045")


@rpc("any_peer")
func m046() -> void:
	Log.called(self, "m046")


@rpc("any_peer")
func m047() -> void:
	Log.called(self, "m047")


@rpc("any_peer")
func m048() -> void:
	Log.called(self, "m048")


@rpc("any_peer")
func m049() -> void:
	Log.called(self, "m049")


@rpc("any_peer")
func m050() -> void:
	Log.called(self, "m050")


@rpc("any_peer")
func m051() -> void:
	Log.called(self, "m051")


@rpc("any_peer")
func m052() -> void:
	Log.called(self, "m052")


@rpc("any_peer")
func m053() -> void:
	Log.called(self, "m053")


@rpc("any_peer")
func m054() -> void:
	Log.called(self, "m054")


@rpc("any_peer")
func m055() -> void:
	Log.called(self, "m055")


@rpc("any_peer")
func m056() -> void:
	Log.called(self, "m056")


@rpc("any_peer")
func m057() -> void:
	Log.called(self, "m057")


@rpc("any_peer")
func m058() -> void:
	Log.called(self, "m058")


@rpc("any_peer")
func m059() -> void:
	Log.called(self, "m059")


@rpc("any_peer")
func m060() -> void:
	Log.called(self, "m060")


@rpc("any_peer")
func m061() -> void:
	Log.called(self, "m061")


@rpc("any_peer")
func m062() -> void:
	Log.called(self, "m062")


@rpc("any_peer")
func m063() -> void:
	Log.called(self, "m063")


@rpc("any_peer")
func m064() -> void:
	Log.called(self, "m064")


@rpc("any_peer")
func m065() -> void:
	Log.called(self, "m065")


@rpc("any_peer")
func m066() -> void:
	Log.called(self, "m066")


@rpc("any_peer")
func m067() -> void:
	Log.called(self, "m067")


@rpc("any_peer")
func m068() -> void:
	Log.called(self, "m068")


@rpc("any_peer")
func m069() -> void:
	Log.called(self, "m069")


@rpc("any_peer")
func m070() -> void:
	Log.called(self, "m070")


@rpc("any_peer")
func m071() -> void:
	Log.called(self, "m071")


@rpc("any_peer")
func m072() -> void:
	Log.called(self, "m072")


@rpc("any_peer")
func m073() -> void:
	Log.called(self, "m073")


@rpc("any_peer")
func m074() -> void:
	Log.called(self, "m074")


@rpc("any_peer")
func m075() -> void:
	Log.called(self, "m075")


@rpc("any_peer")
func m076() -> void:
	Log.called(self, "m076")


@rpc("any_peer")
func m077() -> void:
	Log.called(self, "m077")


@rpc("any_peer")
func m078() -> void:
	Log.called(self, "m078")


@rpc("any_peer")
func m079() -> void:
	Log.called(self, "m079")


@rpc("any_peer")
func m080() -> void:
	Log.called(self, "m080")


@rpc("any_peer")
func m081() -> void:
	Log.called(self, "m081")


@rpc("any_peer")
func m082() -> void:
	Log.called(self, "m082")


@rpc("any_peer")
func m083() -> void:
	Log.called(self, "m083")


@rpc("any_peer")
func m084() -> void:
	Log.called(self, "m084")


@rpc("any_peer")
func m085() -> void:
	Log.called(self, "m085")


@rpc("any_peer")
func m086() -> void:
	Log.called(self, "m086")


@rpc("any_peer")
func m087() -> void:
	Log.called(self, "m087")


@rpc("any_peer")
func m088() -> void:
	Log.called(self, "m088")


@rpc("any_peer")
func m089() -> void:
	Log.called(self, "m089")


@rpc("any_peer")
func m090() -> void:
	Log.called(self, "m090")


@rpc("any_peer")
func m091() -> void:
	Log.called(self, "m091")


@rpc("any_peer")
func m092() -> void:
	Log.called(self, "m092")


@rpc("any_peer")
func m093() -> void:
	Log.called(self, "m093")


@rpc("any_peer")
func m094() -> void:
	Log.called(self, "m094")


@rpc("any_peer")
func m095() -> void:
	Log.called(self, "m095")


@rpc("any_peer")
func m096() -> void:
	Log.called(self, "m096")


@rpc("any_peer")
func m097() -> void:
	Log.called(self, "m097")


@rpc("any_peer")
func m098() -> void:
	Log.called(self, "m098")


@rpc("any_peer")
func m099() -> void:
	Log.called(self, "m099")


@rpc("any_peer")
func m100() -> void:
	Log.called(self, "m100")


@rpc("any_peer")
func m101() -> void:
	Log.called(self, "m101")


@rpc("any_peer")
func m102() -> void:
	Log.called(self, "m102")


@rpc("any_peer")
func m103() -> void:
	Log.called(self, "m103")


@rpc("any_peer")
func m104() -> void:
	Log.called(self, "m104")


@rpc("any_peer")
func m105() -> void:
	Log.called(self, "m105")


@rpc("any_peer")
func m106() -> void:
	Log.called(self, "m106")


@rpc("any_peer")
func m107() -> void:
	Log.called(self, "m107")


@rpc("any_peer")
func m108() -> void:
	Log.called(self, "m108")


@rpc("any_peer")
func m109() -> void:
	Log.called(self, "m109")


@rpc("any_peer")
func m110() -> void:
	Log.called(self, "m110")


@rpc("any_peer")
func m111() -> void:
	Log.called(self, "m111")


@rpc("any_peer")
func m112() -> void:
	Log.called(self, "m112")


@rpc("any_peer")
func m113() -> void:
	Log.called(self, "m113")


@rpc("any_peer")
func m114() -> void:
	Log.called(self, "m114")


@rpc("any_peer")
func m115() -> void:
	Log.called(self, "m115")


@rpc("any_peer")
func m116() -> void:
	Log.called(self, "m116")


@rpc("any_peer")
func m117() -> void:
	Log.called(self, "m117")


@rpc("any_peer")
func m118() -> void:
	Log.called(self, "m118")


@rpc("any_peer")
func m119() -> void:
	Log.called(self, "m119")


@rpc("any_peer")
func m120() -> void:
	Log.called(self, "m120")


@rpc("any_peer")
func m121() -> void:
	Log.called(self, "m121")


@rpc("any_peer")
func m122() -> void:
	Log.called(self, "m122")


@rpc("any_peer")
func m123() -> void:
	Log.called(self, "m123")


@rpc("any_peer")
func m124() -> void:
	Log.called(self, "m124")


@rpc("any_peer")
func m125() -> void:
	Log.called(self, "m125")


@rpc("any_peer")
func m126() -> void:
	Log.called(self, "m126")


@rpc("any_peer")
func m127() -> void:
	Log.called(self, "m127")


@rpc("any_peer")
func m128() -> void:
	Log.called(self, "m128")


@rpc("any_peer")
func m129() -> void:
	Log.called(self, "m129")


@rpc("any_peer")
func m130() -> void:
	Log.called(self, "m130")


@rpc("any_peer")
func m131() -> void:
	Log.called(self, "m131")


@rpc("any_peer")
func m132() -> void:
	Log.called(self, "m132")


@rpc("any_peer")
func m133() -> void:
	Log.called(self, "m133")


@rpc("any_peer")
func m134() -> void:
	Log.called(self, "m134")


@rpc("any_peer")
func m135() -> void:
	Log.called(self, "m135")


@rpc("any_peer")
func m136() -> void:
	Log.called(self, "m136")


@rpc("any_peer")
func m137() -> void:
	Log.called(self, "m137")


@rpc("any_peer")
func m138() -> void:
	Log.called(self, "m138")


@rpc("any_peer")
func m139() -> void:
	Log.called(self, "m139")


@rpc("any_peer")
func m140() -> void:
	Log.called(self, "m140")


@rpc("any_peer")
func m141() -> void:
	Log.called(self, "m141")


@rpc("any_peer")
func m142() -> void:
	Log.called(self, "m142")


@rpc("any_peer")
func m143() -> void:
	Log.called(self, "m143")


@rpc("any_peer")
func m144() -> void:
	Log.called(self, "m144")


@rpc("any_peer")
func m145() -> void:
	Log.called(self, "m145")


@rpc("any_peer")
func m146() -> void:
	Log.called(self, "m146")


@rpc("any_peer")
func m147() -> void:
	Log.called(self, "m147")


@rpc("any_peer")
func m148() -> void:
	Log.called(self, "m148")


@rpc("any_peer")
func m149() -> void:
	Log.called(self, "m149")


@rpc("any_peer")
func m150() -> void:
	Log.called(self, "m150")


@rpc("any_peer")
func m151() -> void:
	Log.called(self, "m151")


@rpc("any_peer")
func m152() -> void:
	Log.called(self, "m152")


@rpc("any_peer")
func m153() -> void:
	Log.called(self, "m153")


@rpc("any_peer")
func m154() -> void:
	Log.called(self, "m154")


@rpc("any_peer")
func m155() -> void:
	Log.called(self, "m155")


@rpc("any_peer")
func m156() -> void:
	Log.called(self, "m156")


@rpc("any_peer")
func m157() -> void:
	Log.called(self, "m157")


@rpc("any_peer")
func m158() -> void:
	Log.called(self, "m158")


@rpc("any_peer")
func m159() -> void:
	Log.called(self, "m159")


@rpc("any_peer")
func m160() -> void:
	Log.called(self, "m160")


@rpc("any_peer")
func m161() -> void:
	Log.called(self, "m161")


@rpc("any_peer")
func m162() -> void:
	Log.called(self, "m162")


@rpc("any_peer")
func m163() -> void:
	Log.called(self, "m163")


@rpc("any_peer")
func m164() -> void:
	Log.called(self, "m164")


@rpc("any_peer")
func m165() -> void:
	Log.called(self, "m165")


@rpc("any_peer")
func m166() -> void:
	Log.called(self, "m166")


@rpc("any_peer")
func m167() -> void:
	Log.called(self, "m167")


@rpc("any_peer")
func m168() -> void:
	Log.called(self, "m168")


@rpc("any_peer")
func m169() -> void:
	Log.called(self, "m169")


@rpc("any_peer")
func m170() -> void:
	Log.called(self, "m170")


@rpc("any_peer")
func m171() -> void:
	Log.called(self, "m171")


@rpc("any_peer")
func m172() -> void:
	Log.called(self, "m172")


@rpc("any_peer")
func m173() -> void:
	Log.called(self, "m173")


@rpc("any_peer")
func m174() -> void:
	Log.called(self, "m174")


@rpc("any_peer")
func m175() -> void:
	Log.called(self, "m175")


@rpc("any_peer")
func m176() -> void:
	Log.called(self, "m176")


@rpc("any_peer")
func m177() -> void:
	Log.called(self, "m177")


@rpc("any_peer")
func m178() -> void:
	Log.called(self, "m178")


@rpc("any_peer")
func m179() -> void:
	Log.called(self, "m179")


@rpc("any_peer")
func m180() -> void:
	Log.called(self, "m180")


@rpc("any_peer")
func m181() -> void:
	Log.called(self, "m181")


@rpc("any_peer")
func m182() -> void:
	Log.called(self, "m182")


@rpc("any_peer")
func m183() -> void:
	Log.called(self, "m183")


@rpc("any_peer")
func m184() -> void:
	Log.called(self, "m184")


@rpc("any_peer")
func m185() -> void:
	Log.called(self, "m185")


@rpc("any_peer")
func m186() -> void:
	Log.called(self, "m186")


@rpc("any_peer")
func m187() -> void:
	Log.called(self, "m187")


@rpc("any_peer")
func m188() -> void:
	Log.called(self, "m188")


@rpc("any_peer")
func m189() -> void:
	Log.called(self, "m189")


@rpc("any_peer")
func m190() -> void:
	Log.called(self, "m190")


@rpc("any_peer")
func m191() -> void:
	Log.called(self, "m191")


@rpc("any_peer")
func m192() -> void:
	Log.called(self, "m192")


@rpc("any_peer")
func m193() -> void:
	Log.called(self, "m193")


@rpc("any_peer")
func m194() -> void:
	Log.called(self, "m194")


@rpc("any_peer")
func m195() -> void:
	Log.called(self, "m195")


@rpc("any_peer")
func m196() -> void:
	Log.called(self, "m196")


@rpc("any_peer")
func m197() -> void:
	Log.called(self, "m197")


@rpc("any_peer")
func m198() -> void:
	Log.called(self, "m198")


@rpc("any_peer")
func m199() -> void:
	Log.called(self, "m199")


@rpc("any_peer")
func m200() -> void:
	Log.called(self, "m200")


@rpc("any_peer")
func m201() -> void:
	Log.called(self, "m201")


@rpc("any_peer")
func m202() -> void:
	Log.called(self, "m202")


@rpc("any_peer")
func m203() -> void:
	Log.called(self, "m203")


@rpc("any_peer")
func m204() -> void:
	Log.called(self, "m204")


@rpc("any_peer")
func m205() -> void:
	Log.called(self, "m205")


@rpc("any_peer")
func m206() -> void:
	Log.called(self, "m206")


@rpc("any_peer")
func m207() -> void:
	Log.called(self, "m207")


@rpc("any_peer")
func m208() -> void:
	Log.called(self, "m208")


@rpc("any_peer")
func m209() -> void:
	Log.called(self, "m209")


@rpc("any_peer")
func m210() -> void:
	Log.called(self, "m210")


@rpc("any_peer")
func m211() -> void:
	Log.called(self, "m211")


@rpc("any_peer")
func m212() -> void:
	Log.called(self, "m212")


@rpc("any_peer")
func m213() -> void:
	Log.called(self, "m213")


@rpc("any_peer")
func m214() -> void:
	Log.called(self, "m214")


@rpc("any_peer")
func m215() -> void:
	Log.called(self, "m215")


@rpc("any_peer")
func m216() -> void:
	Log.called(self, "m216")


@rpc("any_peer")
func m217() -> void:
	Log.called(self, "m217")


@rpc("any_peer")
func m218() -> void:
	Log.called(self, "m218")


@rpc("any_peer")
func m219() -> void:
	Log.called(self, "m219")


@rpc("any_peer")
func m220() -> void:
	Log.called(self, "m220")


@rpc("any_peer")
func m221() -> void:
	Log.called(self, "m221")


@rpc("any_peer")
func m222() -> void:
	Log.called(self, "m222")


@rpc("any_peer")
func m223() -> void:
	Log.called(self, "m223")


@rpc("any_peer")
func m224() -> void:
	Log.called(self, "m224")


@rpc("any_peer")
func m225() -> void:
	Log.called(self, "m225")


@rpc("any_peer")
func m226() -> void:
	Log.called(self, "m226")


@rpc("any_peer")
func m227() -> void:
	Log.called(self, "m227")


@rpc("any_peer")
func m228() -> void:
	Log.called(self, "m228")


@rpc("any_peer")
func m229() -> void:
	Log.called(self, "m229")


@rpc("any_peer")
func m230() -> void:
	Log.called(self, "m230")


@rpc("any_peer")
func m231() -> void:
	Log.called(self, "m231")


@rpc("any_peer")
func m232() -> void:
	Log.called(self, "m232")


@rpc("any_peer")
func m233() -> void:
	Log.called(self, "m233")


@rpc("any_peer")
func m234() -> void:
	Log.called(self, "m234")


@rpc("any_peer")
func m235() -> void:
	Log.called(self, "m235")


@rpc("any_peer")
func m236() -> void:
	Log.called(self, "m236")


@rpc("any_peer")
func m237() -> void:
	Log.called(self, "m237")


@rpc("any_peer")
func m238() -> void:
	Log.called(self, "m238")


@rpc("any_peer")
func m239() -> void:
	Log.called(self, "m239")


@rpc("any_peer")
func m240() -> void:
	Log.called(self, "m240")


@rpc("any_peer")
func m241() -> void:
	Log.called(self, "m241")


@rpc("any_peer")
func m242() -> void:
	Log.called(self, "m242")


@rpc("any_peer")
func m243() -> void:
	Log.called(self, "m243")


@rpc("any_peer")
func m244() -> void:
	Log.called(self, "m244")


@rpc("any_peer")
func m245() -> void:
	Log.called(self, "m245")


@rpc("any_peer")
func m246() -> void:
	Log.called(self, "m246")


@rpc("any_peer")
func m247() -> void:
	Log.called(self, "m247")


@rpc("any_peer")
func m248() -> void:
	Log.called(self, "m248")


@rpc("any_peer")
func m249() -> void:
	Log.called(self, "m249")


@rpc("any_peer")
func m250() -> void:
	Log.called(self, "m250")


@rpc("any_peer")
func m251() -> void:
	Log.called(self, "m251")


@rpc("any_peer")
func m252() -> void:
	Log.called(self, "m252")


@rpc("any_peer")
func m253() -> void:
	Log.called(self, "m253")


@rpc("any_peer")
func m254() -> void:
	Log.called(self, "m254")


@rpc("any_peer")
func m255() -> void:
	Log.called(self, "m255")


@rpc("any_peer")
func m256() -> void:
	Log.called(self, "m256")


@rpc("any_peer")
func m257() -> void:
	Log.called(self, "m257")


@rpc("any_peer")
func m258() -> void:
	Log.called(self, "m258")


@rpc("any_peer")
func m259() -> void:
	Log.called(self, "m259")
