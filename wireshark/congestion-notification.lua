-- Copyright (c) 2026 The aidc authors
--
-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark dissector of the notifications that congested routers send to ingress PEs
-- (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2), in aidc's format (doc/pre-ecn.rst). For Wireshark 4.0
-- and later. The hash is shown, not verified.
--
-- Copy this file to the folder "Personal Lua Plugins" of Wireshark's Help, About, Folders, or run
-- tshark -X lua_script:congestion-notification.lua. Preference: wan_cn.port, in decimal.

local PORT = 50513
local VERSION = 3
local SIZE = 80

local SEVERITIES = {[0] = "None", [1] = "Light", [2] = "Severe"}
local AUTHENTICATIONS = {[0] = "None", [1] = "Keyed BLAKE2b, 16 octets"}
local ANSWERS = {[0] = "No", [1] = "Yes"}

local wan_cn = Proto("wan_cn", "WAN Congestion Notification")
local version = ProtoField.uint8("wan_cn.version", "Version", base.DEC)
local severity = ProtoField.uint8("wan_cn.severity", "Severity", base.DEC, SEVERITIES)
local authentication =
  ProtoField.uint8("wan_cn.authentication", "Authentication", base.DEC, AUTHENTICATIONS)
local queue = ProtoField.uint8("wan_cn.queue", "Queue", base.DEC)
local port = ProtoField.uint16("wan_cn.port", "Port", base.DEC)
local protocol = ProtoField.uint8("wan_cn.flow.protocol", "Protocol of the flow", base.DEC)
local flags = ProtoField.uint8("wan_cn.flags", "Flags", base.HEX)
local falling = ProtoField.uint8("wan_cn.flags.falling", "Queue is falling", base.DEC, ANSWERS, 0x01)
local device = ProtoField.ipv4("wan_cn.device", "Device")
local source = ProtoField.ipv4("wan_cn.flow.src", "Source of the flow")
local destination = ProtoField.ipv4("wan_cn.flow.dst", "Destination of the flow")
local source_port = ProtoField.uint16("wan_cn.flow.srcport", "Source port of the flow", base.DEC)
local destination_port =
  ProtoField.uint16("wan_cn.flow.dstport", "Destination port of the flow", base.DEC)
local sequence = ProtoField.uint64("wan_cn.sequence", "Sequence number", base.DEC)
local time = ProtoField.uint64("wan_cn.time", "Time of the mark in ns", base.DEC)
local ingress = ProtoField.ipv4("wan_cn.ingress", "Ingress PE")
local egress = ProtoField.ipv4("wan_cn.egress", "Egress PE")
local rate = ProtoField.uint64("wan_cn.rate", "Rate of the flow in bit/s (0 not told, all ones no limit)", base.DEC)
local validity = ProtoField.uint32("wan_cn.validity", "Validity of the rate in us", base.DEC)
local key = ProtoField.uint8("wan_cn.key", "Number of the key", base.DEC)
local hash = ProtoField.bytes("wan_cn.hash", "Hash")

-- Each field with its offset and its size
local LAYOUT = {
  {version, 0, 1},
  {severity, 1, 1},
  {authentication, 2, 1},
  {queue, 3, 1},
  {port, 4, 2},
  {protocol, 6, 1},
  {flags, 7, 1},
  {falling, 7, 1},
  {device, 8, 4},
  {source, 12, 4},
  {destination, 16, 4},
  {source_port, 20, 2},
  {destination_port, 22, 2},
  {sequence, 24, 8},
  {time, 32, 8},
  {ingress, 40, 4},
  {egress, 44, 4},
  {rate, 48, 8},
  {validity, 56, 4},
  {key, 60, 1},
  {hash, 64, 16}
}
for i, entry in ipairs(LAYOUT) do
  wan_cn.fields[i] = entry[1]
end

local wrong_length =
  ProtoExpert.new(
  "wan_cn.wrong_length",
  "Notification is not 80 octets long",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
local unknown_version =
  ProtoExpert.new(
  "wan_cn.unknown_version",
  "Notification is of an unknown version",
  expert.group.UNDECODED,
  expert.severity.WARN
)
wan_cn.experts = {wrong_length, unknown_version}
wan_cn.prefs.port = Pref.uint("UDP port", PORT, "Port that notifications are sent to")

local udp_ports = DissectorTable.get("udp.port")
local listening = PORT

function wan_cn.prefs_changed()
  udp_ports:remove(listening, wan_cn)
  listening = wan_cn.prefs.port
  udp_ports:add(listening, wan_cn)
end

function wan_cn.dissector(tvb, pinfo, tree)
  local subtree = tree:add(wan_cn, tvb())
  if tvb:len() > 0 and tvb(0, 1):uint() ~= VERSION then
    subtree:add(version, tvb(0, 1))
    subtree:add_proto_expert_info(unknown_version)
    return tvb:len()
  end
  if tvb:len() ~= SIZE then
    subtree:add_proto_expert_info(wrong_length)
    return tvb:len()
  end
  for _, entry in ipairs(LAYOUT) do
    subtree:add(entry[1], tvb(entry[2], entry[3]))
  end
  local level = tvb(1, 1):uint()
  local summary =
    string.format(
    "%s, %s:%d > %s:%d, device %s port %d queue %d%s",
    SEVERITIES[level] or "severity " .. level,
    tostring(tvb(12, 4):ipv4()),
    tvb(20, 2):uint(),
    tostring(tvb(16, 4):ipv4()),
    tvb(22, 2):uint(),
    tostring(tvb(8, 4):ipv4()),
    tvb(4, 2):uint(),
    tvb(3, 1):uint(),
    tvb(7, 1):bitfield(7, 1) == 1 and ", falling" or ""
  )
  subtree:append_text(", " .. summary)
  pinfo.cols.protocol = "WAN-CN"
  pinfo.cols.info = summary
  return tvb:len()
end

udp_ports:add(listening, wan_cn)
