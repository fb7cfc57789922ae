-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark dissector of the messages that routers send to ingress PEs, in aidc's format
-- (doc/pre-ecn.rst): notifications of congestion (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2),
-- and reports of link loads. For Wireshark 4.0 and later. The hash is shown, not verified.
--
-- Copy this file to the folder "Personal Lua Plugins" of Wireshark's Help, About, Folders, or run
-- tshark -X lua_script:domain-message.lua. Preference: wan_msg.ports, a range.

local PORTS = "50513-50514"
local VERSION = 4
local SIZE = 80

local RECORDS = {[1] = "Congestion", [2] = "Link load"}
local SEVERITIES = {[0] = "None", [1] = "Light", [2] = "Severe"}
local AUTHENTICATIONS = {[0] = "None", [1] = "Keyed BLAKE2b, 16 octets"}
local ANSWERS = {[0] = "No", [1] = "Yes"}

local wan_msg = Proto("wan_msg", "WAN Message")
local version = ProtoField.uint8("wan_msg.version", "Version", base.DEC)
local record = ProtoField.uint8("wan_msg.record", "Record", base.DEC, RECORDS)
local authentication =
  ProtoField.uint8("wan_msg.authentication", "Authentication", base.DEC, AUTHENTICATIONS)
local key = ProtoField.uint8("wan_msg.key", "Number of the key", base.DEC)
local port = ProtoField.uint16("wan_msg.port", "Port", base.DEC)
local device = ProtoField.ipv4("wan_msg.device", "Device")
local ingress = ProtoField.ipv4("wan_msg.ingress", "Ingress PE")
local sequence = ProtoField.uint64("wan_msg.sequence", "Sequence number", base.DEC)
local time =
  ProtoField.uint64("wan_msg.time", "Time of the mark, or end of the measurement, in ns", base.DEC)
local hash = ProtoField.bytes("wan_msg.hash", "Hash")

local severity = ProtoField.uint8("wan_msg.severity", "Severity", base.DEC, SEVERITIES)
local flags = ProtoField.uint8("wan_msg.flags", "Flags", base.HEX)
local falling =
  ProtoField.uint8("wan_msg.flags.falling", "Queue is falling", base.DEC, ANSWERS, 0x01)
local queue = ProtoField.uint8("wan_msg.queue", "Queue", base.DEC)
local protocol = ProtoField.uint8("wan_msg.flow.protocol", "Protocol of the flow", base.DEC)
local source = ProtoField.ipv4("wan_msg.flow.src", "Source of the flow")
local destination = ProtoField.ipv4("wan_msg.flow.dst", "Destination of the flow")
local source_port = ProtoField.uint16("wan_msg.flow.srcport", "Source port of the flow", base.DEC)
local destination_port =
  ProtoField.uint16("wan_msg.flow.dstport", "Destination port of the flow", base.DEC)
local egress = ProtoField.ipv4("wan_msg.egress", "Egress PE")
local validity = ProtoField.uint32("wan_msg.validity", "Validity of the rate in us", base.DEC)
local rate =
  ProtoField.uint64(
  "wan_msg.rate",
  "Rate of the flow in bit/s (0 not told, all ones no limit)",
  base.DEC
)

local length = ProtoField.uint64("wan_msg.length", "Length of the measurement in ns", base.DEC)
local capacity = ProtoField.uint64("wan_msg.capacity", "Capacity of the link in bit/s", base.DEC)
local octets = ProtoField.uint64("wan_msg.octets", "Octets that have arrived", base.DEC)
local utilization = ProtoField.double("wan_msg.utilization", "Utilization of the link")

-- Each field with its offset and its size
local HEADER = {
  {version, 0, 1},
  {record, 1, 1},
  {authentication, 2, 1},
  {key, 3, 1},
  {port, 4, 2},
  {device, 8, 4},
  {ingress, 12, 4},
  {sequence, 16, 8},
  {time, 24, 8},
  {hash, 64, 16}
}
local CONGESTION = {
  {severity, 32, 1},
  {flags, 33, 1},
  {falling, 33, 1},
  {queue, 34, 1},
  {protocol, 35, 1},
  {source, 36, 4},
  {destination, 40, 4},
  {source_port, 44, 2},
  {destination_port, 46, 2},
  {egress, 48, 4},
  {validity, 52, 4},
  {rate, 56, 8}
}
local LINK_LOAD = {
  {length, 32, 8},
  {capacity, 40, 8},
  {octets, 48, 8}
}
local fields = {utilization} -- is computed of the others
for _, layout in ipairs({HEADER, CONGESTION, LINK_LOAD}) do
  for _, entry in ipairs(layout) do
    fields[#fields + 1] = entry[1]
  end
end
wan_msg.fields = fields

local wrong_length =
  ProtoExpert.new(
  "wan_msg.wrong_length",
  "Message is not 80 octets long",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
local unknown_version =
  ProtoExpert.new(
  "wan_msg.unknown_version",
  "Message is of an unknown version, or has an unknown record",
  expert.group.UNDECODED,
  expert.severity.WARN
)
local no_load =
  ProtoExpert.new(
  "wan_msg.no_load",
  "Capacity or length of the measurement is 0",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
wan_msg.experts = {wrong_length, unknown_version, no_load}
wan_msg.prefs.ports = Pref.range("UDP ports", PORTS, "Ports that messages are sent to", 65535)

local udp_ports = DissectorTable.get("udp.port")
local listening = PORTS

function wan_msg.prefs_changed()
  if listening ~= "" then
    udp_ports:remove(listening, wan_msg)
  end
  listening = wan_msg.prefs.ports
  if listening ~= "" then
    udp_ports:add(listening, wan_msg)
  end
end

-- Adds fields.
local function add_all(subtree, tvb, layout)
  for _, entry in ipairs(layout) do
    subtree:add(entry[1], tvb(entry[2], entry[3]))
  end
end

-- Adds a record of congestion, and returns a summary.
local function add_congestion(subtree, tvb)
  add_all(subtree, tvb, CONGESTION)
  local level = tvb(32, 1):uint()
  return string.format(
    "%s, %s:%d > %s:%d, device %s port %d queue %d%s",
    SEVERITIES[level] or "severity " .. level,
    tostring(tvb(36, 4):ipv4()),
    tvb(44, 2):uint(),
    tostring(tvb(40, 4):ipv4()),
    tvb(46, 2):uint(),
    tostring(tvb(8, 4):ipv4()),
    tvb(4, 2):uint(),
    tvb(34, 1):uint(),
    tvb(33, 1):bitfield(7, 1) == 1 and ", falling" or ""
  )
end

-- Adds a record of the load of a link, and returns a summary.
local function add_link_load(subtree, tvb)
  add_all(subtree, tvb, LINK_LOAD)
  local summary =
    string.format("Device %s port %d", tostring(tvb(8, 4):ipv4()), tvb(4, 2):uint())
  local measured = tvb(32, 8):uint64():tonumber()
  local available = tvb(40, 8):uint64():tonumber()
  if measured == 0 or available == 0 then
    subtree:add_proto_expert_info(no_load)
    return summary
  end
  local load = tvb(48, 8):uint64():tonumber() * 8e9 / measured / available
  subtree:add(utilization, load):set_generated()
  return summary .. string.format(", %.1f %% of %.6g Gbit/s", load * 100, available / 1e9)
end

local ADD_RECORD = {[1] = add_congestion, [2] = add_link_load}
local NAMES = {[1] = "WAN-CN", [2] = "WAN-LOAD"}

function wan_msg.dissector(tvb, pinfo, tree)
  local subtree = tree:add(wan_msg, tvb())
  local kind = tvb:len() > 1 and tvb(1, 1):uint()
  if tvb:len() > 0 and tvb(0, 1):uint() ~= VERSION or kind and not RECORDS[kind] then
    subtree:add(version, tvb(0, 1))
    if kind then
      subtree:add(record, tvb(1, 1))
    end
    subtree:add_proto_expert_info(unknown_version)
    return tvb:len()
  end
  if tvb:len() ~= SIZE then
    subtree:add_proto_expert_info(wrong_length)
    return tvb:len()
  end
  add_all(subtree, tvb, HEADER)
  local summary = ADD_RECORD[kind](subtree, tvb)
  subtree:append_text(", " .. summary)
  pinfo.cols.protocol = NAMES[kind]
  pinfo.cols.info = summary
  return tvb:len()
end

udp_ports:add(listening, wan_msg)
