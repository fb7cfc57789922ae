-- Copyright (c) 2026 The aidc authors
--
-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark dissector of the reports of link loads that routers send to ingress PEs, in aidc's
-- format (doc/pre-ecn.rst). For Wireshark 4.0 and later. The hash is shown, not verified.
--
-- Copy this file to the folder "Personal Lua Plugins" of Wireshark's Help, About, Folders, or run
-- tshark -X lua_script:link-load-report.lua. Preference: wan_load.port, in decimal.

local PORT = 50514
local KIND = 0x4c
local VERSION = 2
local SIZE = 80

local AUTHENTICATIONS = {[0] = "None", [1] = "Keyed BLAKE2b, 16 octets"}

local wan_load = Proto("wan_load", "WAN Link Load Report")
local kind = ProtoField.uint8("wan_load.kind", "Kind of message", base.HEX)
local version = ProtoField.uint8("wan_load.version", "Version", base.DEC)
local authentication =
  ProtoField.uint8("wan_load.authentication", "Authentication", base.DEC, AUTHENTICATIONS)
local port = ProtoField.uint16("wan_load.port", "Port", base.DEC)
local device = ProtoField.ipv4("wan_load.device", "Device")
local ingress = ProtoField.ipv4("wan_load.ingress", "Ingress PE")
local sequence = ProtoField.uint64("wan_load.sequence", "Sequence number", base.DEC)
local time = ProtoField.uint64("wan_load.time", "End of the measurement in ns", base.DEC)
local length = ProtoField.uint64("wan_load.length", "Length of the measurement in ns", base.DEC)
local capacity = ProtoField.uint64("wan_load.capacity", "Capacity of the link in bit/s", base.DEC)
local octets = ProtoField.uint64("wan_load.octets", "Octets that have arrived", base.DEC)
local key = ProtoField.uint8("wan_load.key", "Number of the key", base.DEC)
local hash = ProtoField.bytes("wan_load.hash", "Hash")
local utilization = ProtoField.double("wan_load.utilization", "Utilization of the link")

-- Each field with its offset and its size
local LAYOUT = {
  {kind, 0, 1},
  {version, 1, 1},
  {authentication, 2, 1},
  {port, 4, 2},
  {device, 8, 4},
  {ingress, 12, 4},
  {sequence, 16, 8},
  {time, 24, 8},
  {length, 32, 8},
  {capacity, 40, 8},
  {octets, 48, 8},
  {key, 60, 1},
  {hash, 64, 16}
}
for i, entry in ipairs(LAYOUT) do
  wan_load.fields[i] = entry[1]
end
-- Computed of the others
wan_load.fields[#LAYOUT + 1] = utilization

local wrong_length =
  ProtoExpert.new(
  "wan_load.wrong_length",
  "Report is not 80 octets long",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
local unknown_version =
  ProtoExpert.new(
  "wan_load.unknown_version",
  "Report is of an unknown kind or version",
  expert.group.UNDECODED,
  expert.severity.WARN
)
local no_load =
  ProtoExpert.new(
  "wan_load.no_load",
  "Capacity or length of the measurement is 0",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
wan_load.experts = {wrong_length, unknown_version, no_load}
wan_load.prefs.port = Pref.uint("UDP port", PORT, "Port that reports are sent to")

local udp_ports = DissectorTable.get("udp.port")
local listening = PORT

function wan_load.prefs_changed()
  udp_ports:remove(listening, wan_load)
  listening = wan_load.prefs.port
  udp_ports:add(listening, wan_load)
end

function wan_load.dissector(tvb, pinfo, tree)
  local subtree = tree:add(wan_load, tvb())
  if tvb:len() > 1 and (tvb(0, 1):uint() ~= KIND or tvb(1, 1):uint() ~= VERSION) then
    subtree:add(kind, tvb(0, 1))
    subtree:add(version, tvb(1, 1))
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
  local summary =
    string.format("Device %s port %d", tostring(tvb(8, 4):ipv4()), tvb(4, 2):uint())
  local measured = tvb(32, 8):uint64():tonumber()
  local available = tvb(40, 8):uint64():tonumber()
  if measured == 0 or available == 0 then
    subtree:add_proto_expert_info(no_load)
  else
    local load = tvb(48, 8):uint64():tonumber() * 8e9 / measured / available
    subtree:add(utilization, load):set_generated()
    summary = summary .. string.format(", %.1f %% of %.6g Gbit/s", load * 100, available / 1e9)
  end
  subtree:append_text(", " .. summary)
  pinfo.cols.protocol = "WAN-LOAD"
  pinfo.cols.info = summary
  return tvb:len()
end

udp_ports:add(listening, wan_load)
