# Read by epan/dissectors/CMakeLists.txt of Wireshark after few_protocols of script/packages.sh: of its 1,640
# dissectors, keeps those of the protocols in the shipped captures and those whose functions these dissectors
# and libwireshark call. Also needed are the dissector "file", v150fw when RTP is registered, and a
# postdissector: snort. HTTP needs SCTP's table of ports, and tshark needs a protocol with a table of
# statistics (calcappprotocol). LBMSRS has a weak heuristic.
set(protocols
  6lowpan arp ber calcappprotocol cms crmf dap data dcerpc dcerpc-ndr dcerpc-nt disp dns dop dsp dtls dvbci e212
  eth ethertype exported_pdu frame gquic gre gssapi http http-urlencoded http2 icmp icmpv6 idmp ieee8023 igmp ip ipv6 isl json
  lbm lbmsrs media media-type mp2t mpeg-descriptor mpeg-pmt mpeg-sect ntlmssp null ocsp p1 pkcs1 pkcs12
  pkix1explicit pkix1implicit ppp pres quic radius raw ros rtcp rtp rtse sctp ses sll smb smb-browse smb-common
  smb-mailslot smb-pipe smb-sidsnooping smb2 snort stun syslog tcp text-media tls tls-utils udp
  v150fw vlan wccp websocket windows-common wireguard x509af x509ce x509if x509sat)
list(JOIN protocols "|" protocols)
foreach(kind DISSECTOR_SRC PIDL_DISSECTOR_SRC ASN1_DISSECTOR_SRC NCP2222_DISSECTOR_SRC CORBA_IDL_DISSECTOR_SRC)
  list(FILTER ${kind} INCLUDE REGEX "/(file-file|packet-(${protocols}))[.]c$")
endforeach()
