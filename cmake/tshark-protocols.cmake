# Read by epan/dissectors/CMakeLists.txt of Wireshark 4.4 in script/windows-tshark: of its 1,640 dissectors, keeps those of
# the protocols that the shipped captures have, and those whose functions these and libwireshark itself call. It also asks
# for the dissector "file", for v150fw when RTP is registered, and for one that runs after all others: snort.
set(protocols
  6lowpan a21 arp ber bicc_mst bssgp cell_broadcast charging_ase cms crmf dap data dcerpc-ndr dcerpc-nt dcerpc disp
  dns dop dsp dtls dvbci e164 e212 eth ethertype exported_pdu frame gmr1_common gmr1_rr gquic gsm_a_bssmap
  gsm_a_common gsm_a_dtap gsm_a_gm gsm_a_rp gsm_a_rr gsm_bsslap gsm_bssmap_le gsm_map gsm_sms gssapi http http2 icmp
  icmpv6 idmp ieee8023 igmp ip ipv6 isl isup json lcsap llc lpp lte-rrc mac-lte mac-nr media mp2t mpeg-descriptor
  mpeg-pmt mpeg-sect mtp3 nas_5gs nas_eps nbap ngap nr-rrc ntlmssp ntp null ocsp osi p1 pdcp-lte pdcp-nr per pkcs1
  pkcs12 pkix1explicit pkix1implicit ppp pres q708 q931 quic radius ranap raw rlc-lte rlc-nr ros rrc rtcp rtp rtse
  s1ap sccp sctp ses sgsap snort smb-browse smb-common smb-mailslot smb-pipe smb-sidsnooping smb smb2 stun syslog tcap tcp
  text-media tls-utils tls tpkt udp umts_fp umts_mac umts_rlc v150fw vlan websocket windows-common x509af x509ce x509if
  x509sat xml)
list(JOIN protocols "|" protocols)
foreach(kind DISSECTOR_SRC PIDL_DISSECTOR_SRC ASN1_DISSECTOR_SRC NCP2222_DISSECTOR_SRC CORBA_IDL_DISSECTOR_SRC)
  list(FILTER ${kind} INCLUDE REGEX "/(file-file|packet-(${protocols}))[.]c$")
endforeach()
