-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark dissector of the in-band telemetry that aidc's switches write into RoCEv2 packets for
-- HPCC (doc/congestion-control.rst). For Wireshark 4.0 and later. Wireshark's own dissector gets
-- each packet without its telemetry.
--
-- Copy this file to the folder "Personal Lua Plugins" of Wireshark's Help, About, Folders, or run
-- tshark -X lua_script:int.lua.

local PORT = 4791
local BTH_SIZE = 12
local FLAGS = 8 -- the byte of the base transport header with A and T
local T_BIT = 0x40
local CNP = 0x81
local MAX_HOPS = 5
local HOP_SIZE = 8
local SIZE = MAX_HOPS * HOP_SIZE + 2

local RATES = {[0] = 25, [1] = 50, [2] = 100, [3] = 200, [4] = 400, [5] = 800}

local int = Proto("aidc_int", "In-band Telemetry of HPCC")
local count = ProtoField.uint8("aidc_int.hops", "Number of hops", base.DEC)
local path = ProtoField.uint16("aidc_int.path", "Path", base.HEX)
local hop = ProtoField.bytes("aidc_int.hop", "Hop")
local rate = ProtoField.uint32("aidc_int.rate", "Rate of the link in Gbit/s", base.DEC)
local time = ProtoField.uint32("aidc_int.time", "Time in ns, modulo 2^24", base.DEC)
local sent = ProtoField.uint32("aidc_int.sent", "Bytes sent, modulo 2^27", base.DEC)
local queued = ProtoField.uint32("aidc_int.queued", "Bytes queued", base.DEC)
int.fields = {count, path, hop, rate, time, sent, queued}

local too_short =
  ProtoExpert.new(
  "aidc_int.too_short",
  "Packet ends within its in-band telemetry",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
local unknown_rate =
  ProtoExpert.new(
  "aidc_int.unknown_rate",
  "Code of a rate that stands for none",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
local overfull =
  ProtoExpert.new(
  "aidc_int.overfull",
  "Packet has passed more hops than there is room for",
  expert.group.PROTOCOL,
  expert.severity.WARN
)
int.experts = {too_short, unknown_rate, overfull}

local udp_ports = DissectorTable.get("udp.port")
local roce = udp_ports:get_dissector(PORT)

local function add_hop(range, tree)
  local word = range:uint64()
  local subtree = tree:add(hop, range)
  local code = range(0, 1):bitfield(0, 3)
  if RATES[code] then
    subtree:add(rate, range(0, 1), RATES[code])
  else
    subtree:add_proto_expert_info(unknown_rate)
  end
  subtree:add(time, range(0, 4), word:rshift(37):band(0xffffff):tonumber())
  subtree:add(sent, range(3, 4), word:rshift(17):band(0xfffff):tonumber() * 128)
  subtree:add(queued, range(5, 3), word:band(0x1ffff):tonumber() * 80)
end

function int.dissector(tvb, pinfo, tree)
  local has_telemetry =
    tvb:len() >= BTH_SIZE and tvb(0, 1):uint() ~= CNP and
    bit.band(tvb(FLAGS, 1):uint(), T_BIT) ~= 0
  if not has_telemetry then
    return roce and roce:call(tvb, pinfo, tree) or 0
  end
  if tvb:len() < BTH_SIZE + SIZE then
    tree:add(int, tvb(BTH_SIZE)):add_proto_expert_info(too_short)
    return tvb:len()
  end
  local range = tvb(BTH_SIZE, SIZE)
  local subtree = tree:add(int, range)
  local tail = range(SIZE - 2, 2)
  local n = tail:bitfield(0, 4)
  subtree:add(count, tail(0, 1), n)
  subtree:add(path, tail, tail:bitfield(4, 12))
  if n > MAX_HOPS then
    subtree:add_proto_expert_info(overfull)
  end
  for i = 0, math.min(n, MAX_HOPS) - 1 do
    add_hop(range(i * HOP_SIZE, HOP_SIZE), subtree)
  end
  subtree:append_text(string.format(", %d hops", n))
  if roce then
    local rest = tvb(0, BTH_SIZE):bytes()
    if tvb:len() > BTH_SIZE + SIZE then
      rest = rest .. tvb(BTH_SIZE + SIZE):bytes()
    end
    roce:call(rest:tvb("RoCEv2 without telemetry"), pinfo, tree)
  end
  return tvb:len()
end

udp_ports:add(PORT, int)
