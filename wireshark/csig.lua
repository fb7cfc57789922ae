-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark dissector of CSIG (draft-ravi-ippm-csig-01, February 2024): the tag of layer 2 in both
-- formats, and its reflection in an experimental TCP option (RFC 6994) and before the payload of
-- UDP. For Wireshark 4.0 and later.
--
-- Copy this file to the folder "Personal Lua Plugins" of Wireshark's Help, About, Folders, or run
-- tshark -X lua_script:csig.lua. Preferences: csig.tpid_compact, csig.tpid_expanded and
-- csig_reflection.exid, in decimal; csig_reflection.udp_ports, a range; buckets, quanta, layouts
-- and link speeds, in the texts of the attributes of CsigDomain.

local TPID_COMPACT = 0x88b5
local TPID_EXPANDED = 0x88b6
local EXID = 0xc516
local EXPERIMENTAL_KINDS = {[253] = true, [254] = true}
local OPTION_EMPTY_SIZE = 4 -- kind, length, experiment identifier
local SMALLEST_ETHERTYPE = 0x600 -- what is below is a length

local FORMATS = {[0] = "Compact", [1] = "Expanded"}
local TYPES = {[0] = "min(ABW)", [1] = "min(ABW/C)", [2] = "max(PD)", [3] = "max(nQD)"}

-- What the codes and bits of a domain mean: the attributes of CsigDomain, with its defaults. Each
-- is a preference of the tag's protocol by the name of its key.
local DEFAULTS = {
  abw_buckets = "0,100Mbps,200Mbps,500Mbps,1Gbps,2Gbps,3Gbps,4Gbps,5Gbps,6Gbps,8Gbps,10Gbps," ..
    "12500Mbps,15Gbps,20Gbps,25Gbps,30Gbps,40Gbps,50Gbps,60Gbps,75Gbps,90Gbps,100Gbps,125Gbps," ..
      "150Gbps,175Gbps,200Gbps,250Gbps,300Gbps,350Gbps,400Gbps,600Gbps",
  abw_ratio_buckets = "0,1%,2%,3%,4%,5%,6%,8%,10%,12%,14%,16%,18%,20%,23%,26%,30%,34%,38%,42%," ..
    "46%,50%,55%,60%,65%,70%,75%,80%,85%,90%,95%,98%",
  hop_delay_buckets = "0,500ns,1us,2us,3us,4us,5us,6us,8us,10us,12us,15us,20us,25us,30us,40us," ..
    "50us,60us,80us,100us,125us,150us,200us,250us,300us,400us,500us,650us,800us,1ms,1500us,2ms",
  queue_depth_buckets = "0,500ns,1us,2us,3us,4us,5us,6us,8us,10us,12us,15us,20us,25us,30us," ..
    "40us,50us,60us,80us,100us,125us,150us,200us,250us,300us,400us,500us,650us,800us,1ms," ..
      "1500us,2ms",
  abw_quantum = "8Mbps",
  abw_ratio_quantum = "1ppm",
  hop_delay_quantum = "128ns",
  queue_depth_quantum = "128ns",
  compact_locator = "capacity:3,stage:2,orientation:2",
  expanded_locator = "device:10,port:6",
  link_speeds = "10Gbps,25Gbps,40Gbps,100Gbps,200Gbps,400Gbps,800Gbps"
}
for _, signal in ipairs({"abw", "abw_ratio", "hop_delay", "queue_depth"}) do
  DEFAULTS[signal .. "_compact_locator"] = "" -- that of the format
  DEFAULTS[signal .. "_expanded_locator"] = ""
end

-- The keys above of each signal, by type code.
local SIGNALS = {[0] = "abw", [1] = "abw_ratio", [2] = "hop_delay", [3] = "queue_depth"}

-- Units that users write, the largest first, in the unit that a signal is measured in.
local RATES = {
  {"Tbps", 1000000000000, "Tbit/s"},
  {"Gbps", 1000000000, "Gbit/s"},
  {"Mbps", 1000000, "Mbit/s"},
  {"Kbps", 1000, "kbit/s"},
  {"bps", 1, "bit/s"}
}
local SHARES = {{"%", 10000, "%"}, {"ppm", 1, "ppm"}}
local TIMES = {{"s", 1000000000, "s"}, {"ms", 1000000, "ms"}, {"us", 1000, "us"}, {"ns", 1, "ns"}}
local UNITS = {abw = RATES, abw_ratio = SHARES, hop_delay = TIMES, queue_depth = TIMES}

local ATTRIBUTES = {"capacity", "stage", "orientation", "port", "device", "ttl", "custom"}
local ORIENTATIONS = {[0] = "Unknown", [1] = "Up", [2] = "Down", [3] = "Side"}

-- Reads numbers with units and commas between; returns nothing if the text is wrong.
local function parse_values(text, units)
  local values = {}
  for item in (text .. ","):gmatch("([^,]*),") do
    local number, name = item:match("^%s*([%d.]+)%s*(%a*%%?)%s*$")
    local value = tonumber(number)
    if not value then
      return nil
    end
    local size = value == 0 and name == "" and 1 or nil
    for _, unit in ipairs(units) do
      size = unit[1] == name and unit[2] or size
    end
    if not size then
      return nil
    end
    values[#values + 1] = math.floor(value * size + 0.5)
  end
  return values
end

-- Reads attributes and their bits; returns nothing if the text is wrong.
local function parse_layout(text, most)
  local layout = {}
  local sum = 0
  for item in (text .. ","):gmatch("([^,]*),") do
    local name, bits = item:match("^%s*(%a+)%s*:%s*(%d+)%s*$")
    bits = tonumber(bits)
    if not bits or bits == 0 then
      return nil
    end
    sum = sum + bits
    layout[#layout + 1] = {name, bits}
  end
  return sum <= most and layout or nil
end

-- Reads all preferences, or the defaults.
local function read_domain(texts)
  local domain = {buckets = {}, quanta = {}}
  for _, signal in pairs(SIGNALS) do
    domain.buckets[signal] = parse_values(texts[signal .. "_buckets"], UNITS[signal])
    local quantum = parse_values(texts[signal .. "_quantum"], UNITS[signal])
    domain.quanta[signal] = quantum and quantum[1]
  end
  for format, most in pairs({compact = 7, expanded = 16}) do
    domain[format] = {default = parse_layout(texts[format .. "_locator"], most)}
    for _, signal in pairs(SIGNALS) do
      local text = texts[signal .. "_" .. format .. "_locator"]
      domain[format][signal] = text == "" and domain[format].default or parse_layout(text, most)
    end
  end
  domain.speeds = parse_values(texts.link_speeds, RATES) or {}
  return domain
end

local domain = read_domain(DEFAULTS)

-- Writes a value in the largest unit of which it is at least one.
local function format_value(value, units)
  for _, unit in ipairs(units) do
    if value >= unit[2] then
      return string.format("%.10g %s", value / unit[2], unit[3])
    end
  end
  return string.format("%d %s", value, units[#units][3])
end

-- Finds the values that a code stands for: at least the first, below the second, which is missing
-- where there is no end.
local function decode_value(signal, code, expanded)
  if expanded then
    local quantum = domain.quanta[signal]
    if not quantum then
      return nil
    end
    return code * quantum, code < 0xfffff and (code + 1) * quantum or nil
  end
  local lows = domain.buckets[signal]
  if not lows then
    return nil
  end
  local bucket = math.min(code + 1, #lows)
  return lows[bucket], lows[bucket + 1]
end

-- Makes a number of 64 bits.
local function make_uint64(value)
  return UInt64.new(value % 0x100000000, math.floor(value / 0x100000000))
end

-- Makes the fields of one place where CSIG data fields are: the tag, or a reflection. Those that
-- are not in the packet are generated.
local function make_fields(prefix)
  local fields = {
    format = ProtoField.uint8(prefix .. ".format", "Format", base.DEC, FORMATS),
    type = ProtoField.uint8(prefix .. ".type", "Signal type", base.DEC, TYPES),
    reserved = ProtoField.uint8(prefix .. ".reserved", "Reserved", base.HEX),
    value = ProtoField.uint32(prefix .. ".value", "Signal value", base.DEC),
    lm = ProtoField.uint16(prefix .. ".lm", "Locator metadata", base.HEX),
    low = ProtoField.uint64(prefix .. ".low", "At least (bit/s, millionths or ns)", base.DEC),
    high = ProtoField.uint64(prefix .. ".high", "Below (bit/s, millionths or ns)", base.DEC),
    range = ProtoField.string(prefix .. ".range", "Range of the signal"),
    speed = ProtoField.uint64(prefix .. ".locator.speed", "Speed of the link in bit/s", base.DEC)
  }
  for _, name in ipairs(ATTRIBUTES) do
    local strings = name == "orientation" and ORIENTATIONS or nil
    local label = name == "ttl" and "TTL" or name:sub(1, 1):upper() .. name:sub(2)
    fields[name] = ProtoField.uint16(prefix .. ".locator." .. name, label, base.DEC, strings)
  end
  return fields
end

-- Lists fields, for a protocol.
local function list_fields(fields, more)
  local list = more or {}
  for _, field in pairs(fields) do
    list[#list + 1] = field
  end
  return list
end

-- Adds what a value stands for, and returns it as a text.
local function add_range(tree, fields, range, signal, code, expanded)
  local low, high = decode_value(signal, code, expanded)
  if not low then
    return nil
  end
  local units = UNITS[signal]
  local text = high and format_value(low, units) .. " to " .. format_value(high, units) or
    "at least " .. format_value(low, units)
  tree:add(fields.range, range, text):set_generated()
  tree:add(fields.low, range, make_uint64(low)):set_generated()
  if high then
    tree:add(fields.high, range, make_uint64(high)):set_generated()
  end
  return text
end

-- Adds the attributes of a locator: section 5.5.2. The last one has the lowest bits.
local function add_locator(tree, fields, range, locator, layout)
  local above = 0
  for _, entry in ipairs(layout) do
    above = above + entry[2]
  end
  for _, entry in ipairs(layout) do
    above = above - entry[2]
    local name = entry[1]
    local number = math.floor(locator / 2 ^ above) % 2 ^ entry[2]
    number = math.floor(number)
    if fields[name] then
      tree:add(fields[name], range, number):set_generated()
    end
    if name == "capacity" and domain.speeds[number] then
      tree:add(fields.speed, range, make_uint64(domain.speeds[number])):set_generated()
    end
  end
end

-- Adds the data fields of a format to a tree, and returns a summary. The range has to be 2 bytes,
-- or 6 for the expanded format: figures 1 and 2 of the draft.
local function add_data(tree, fields, range, expanded)
  local parts
  if expanded then
    parts = {
      {fields.lm, range(0, 2), range(0, 2):uint()},
      {fields.type, range(2, 1), range(2, 4):bitfield(0, 4)},
      {fields.value, range(2, 3), range(2, 4):bitfield(4, 20)},
      {fields.reserved, range(5, 1), range(2, 4):bitfield(24, 8)}
    }
  else
    parts = {
      {fields.type, range(0, 1), range:bitfield(0, 3)},
      {fields.reserved, range(0, 1), range:bitfield(3, 1)},
      {fields.value, range(0, 2), range:bitfield(4, 5)},
      {fields.lm, range(1, 1), range:bitfield(9, 7)}
    }
  end
  tree:add(fields.format, range, expanded and 1 or 0):set_generated()
  local by_field = {}
  local ranges = {}
  local items = {}
  for _, part in ipairs(parts) do
    items[part[1]] = tree:add(part[1], part[2], part[3])
    ranges[part[1]] = part[2]
    by_field[part[1]] = part[3]
  end
  local type = by_field[fields.type]
  local code = by_field[fields.value]
  local locator = by_field[fields.lm]
  local meaning
  if SIGNALS[type] then
    local item = items[fields.value]
    meaning = add_range(item, fields, ranges[fields.value], SIGNALS[type], code, expanded)
  end
  local layout = domain[expanded and "expanded" or "compact"][SIGNALS[type] or "default"]
  if layout then
    add_locator(items[fields.lm], fields, ranges[fields.lm], locator, layout)
  end
  return string.format(
    "%s: %d%s, locator 0x%x",
    TYPES[type] or "type " .. type,
    code,
    meaning and " (" .. meaning .. ")" or "",
    locator
  )
end

-- The tag. Ethernet and VLAN have read the TPID already: here are the data fields, the EtherType of
-- what follows, and what follows.

local csig = Proto("csig", "Congestion Signaling tag")
local tag = make_fields("csig")
local tag_etype = ProtoField.uint16("csig.etype", "EtherType", base.HEX)
csig.fields = list_fields(tag, {tag_etype})
local tag_short =
  ProtoExpert.new(
  "csig.short",
  "CSIG tag is cut short",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
csig.experts = {tag_short}
csig.prefs.tpid_compact = Pref.uint("TPID of compact tags", TPID_COMPACT, "34997 is 0x88B5")
csig.prefs.tpid_expanded = Pref.uint("TPID of expanded tags", TPID_EXPANDED, "34998 is 0x88B6")
for _, signal in pairs(SIGNALS) do
  local name = signal:gsub("_", " ")
  csig.prefs[signal .. "_buckets"] =
    Pref.string(
    "Buckets of " .. name,
    DEFAULTS[signal .. "_buckets"],
    "Where each begins, as the attribute of CsigDomain"
  )
  csig.prefs[signal .. "_quantum"] =
    Pref.string("Quantum of " .. name, DEFAULTS[signal .. "_quantum"], "As 8Mbps, 1ppm or 128ns")
  for _, format in ipairs({"compact", "expanded"}) do
    csig.prefs[signal .. "_" .. format .. "_locator"] =
      Pref.string(
      "Locator of " .. name .. ", " .. format,
      "",
      "Attributes and bits; empty for those of the format"
    )
  end
end
csig.prefs.compact_locator =
  Pref.string("Compact locator", DEFAULTS.compact_locator, "Attributes and bits, 7 at most")
csig.prefs.expanded_locator =
  Pref.string("Expanded locator", DEFAULTS.expanded_locator, "Attributes and bits, 16 at most")
csig.prefs.link_speeds =
  Pref.string("Link speeds", DEFAULTS.link_speeds, "Those that a locator's capacity can name")

local ethertypes = DissectorTable.get("ethertype")
local tpids = {compact = TPID_COMPACT, expanded = TPID_EXPANDED}

function csig.prefs_changed()
  ethertypes:remove(tpids.compact, csig)
  ethertypes:remove(tpids.expanded, csig)
  tpids = {compact = csig.prefs.tpid_compact, expanded = csig.prefs.tpid_expanded}
  ethertypes:add(tpids.compact, csig)
  ethertypes:add(tpids.expanded, csig)
  local texts = {}
  for key in pairs(DEFAULTS) do
    texts[key] = csig.prefs[key]
  end
  domain = read_domain(texts)
end

function csig.dissector(tvb, pinfo, tree)
  local expanded = pinfo.match_uint == tpids.expanded
  local size = expanded and 6 or 2
  local subtree = tree:add(csig, tvb(0, math.min(tvb:len(), size + 2)))
  if tvb:len() < size + 2 then
    subtree:add_proto_expert_info(tag_short)
    return tvb:len()
  end
  local summary = add_data(subtree, tag, tvb(0, size), expanded)
  subtree:set_text("Congestion Signaling tag, " .. summary)
  subtree:add(tag_etype, tvb(size, 2))
  local etype = tvb(size, 2):uint()
  if tvb:len() == size + 2 then
    return tvb:len()
  end
  local payload = tvb(size + 2):tvb()
  if etype < SMALLEST_ETHERTYPE then
    Dissector.get("llc"):call(payload, pinfo, tree)
  elseif not ethertypes:try(etype, payload, pinfo, tree) then
    Dissector.get("data"):call(payload, pinfo, tree)
  end
  return tvb:len()
end

ethertypes:add(tpids.compact, csig)
ethertypes:add(tpids.expanded, csig)

-- The reflection in TCP. Wireshark's own dissector of experimental options stays in its place; this
-- one looks at the bytes of all options once it has done its work.

local reflection = Proto("csig_reflection", "Congestion Signaling reflection")
local reflected = make_fields("csig_reflection")
local reflected_empty = ProtoField.bool("csig_reflection.empty", "No data fields")
local udp_flags = ProtoField.uint8("csig_reflection.flags", "Flags", base.HEX)
local udp_valid = ProtoField.bool("csig_reflection.flags.valid", "Valid", 8, nil, 0x80)
local udp_expanded = ProtoField.bool("csig_reflection.flags.expanded", "Expanded", 8, nil, 0x40)
local udp_untagged =
  ProtoField.bool("csig_reflection.flags.untagged", "Packets came without a tag", 8, nil, 0x20)
reflection.fields =
  list_fields(reflected, {reflected_empty, udp_flags, udp_valid, udp_expanded, udp_untagged})
local option_length =
  ProtoExpert.new(
  "csig_reflection.bad_length",
  "CSIG option has neither no data nor 2 nor 6 bytes of it",
  expert.group.MALFORMED,
  expert.severity.WARN
)
local udp_short =
  ProtoExpert.new(
  "csig_reflection.short",
  "CSIG reflection header is cut short",
  expert.group.MALFORMED,
  expert.severity.ERROR
)
reflection.experts = {option_length, udp_short}
reflection.prefs.exid = Pref.uint("Experiment identifier", EXID, "50454 is 0xC516")
reflection.prefs.draft_kind =
  Pref.uint("Kind of the option without identifier", 0, "Figure 3 of the draft; 0: there is none")
reflection.prefs.udp_ports =
  Pref.range("UDP ports", "", "Whose datagrams begin with a reflection header, as 7,1000-1003", 65535)

local tcp_options = Field.new("tcp.options")

-- Adds one TCP option to the tree if it is CSIG's.
local function add_option(tree, range, kind, length)
  local begin = 2 -- kind and length
  if kind ~= reflection.prefs.draft_kind then
    begin = OPTION_EMPTY_SIZE
    if not EXPERIMENTAL_KINDS[kind] or length < begin or
        range(2, 2):uint() ~= reflection.prefs.exid then
      return
    end
  end
  local subtree = tree:add(reflection, range)
  local size = length - begin
  if size == 0 then
    subtree:add(reflected_empty, range(0, length), true):set_generated()
    subtree:append_text(", empty")
  elseif size == 2 or size == 6 then
    subtree:add(reflected_empty, range(0, length), false):set_generated()
    local data = range(begin, size)
    subtree:append_text(", " .. add_data(subtree, reflected, data, size == 6))
  else
    subtree:add_proto_expert_info(option_length)
  end
end

function reflection.dissector(_, _, tree)
  for _, options in ipairs({tcp_options()}) do
    local range = options.range
    local offset = 0
    while offset < range:len() do
      local kind = range(offset, 1):uint()
      if kind == 0 then
        break
      elseif kind == 1 then
        offset = offset + 1
      else
        local length = offset + 1 < range:len() and range(offset + 1, 1):uint() or 0
        if length < 2 or offset + length > range:len() then
          break -- Wireshark's own dissector complains
        end
        add_option(tree, range(offset, length), kind, length)
        offset = offset + length
      end
    end
  end
end

-- The reflection in UDP: figure 4, a byte of flags and the data fields before the payload. Ports are
-- those of the application, on either side.

local reflection_udp = Proto("csig_reflection_udp", "Congestion Signaling reflection in UDP")
local udp_ports = DissectorTable.get("udp.port")
local listening = ""

function reflection_udp.dissector(tvb, pinfo, tree)
  if tvb:len() == 0 then
    return 0
  end
  local flags = tvb(0, 1):uint()
  local expanded = math.floor(flags / 0x40) % 2 == 1
  local size = expanded and 7 or 3
  local subtree = tree:add(reflection, tvb(0, math.min(tvb:len(), size)))
  local item = subtree:add(udp_flags, tvb(0, 1))
  item:add(udp_valid, tvb(0, 1))
  item:add(udp_expanded, tvb(0, 1))
  item:add(udp_untagged, tvb(0, 1))
  if tvb:len() < size then
    subtree:add_proto_expert_info(udp_short)
    return tvb:len()
  end
  local is_valid = flags >= 0x80
  subtree:add(reflected_empty, tvb(0, size), not is_valid):set_generated()
  if is_valid then
    subtree:append_text(", " .. add_data(subtree, reflected, tvb(1, size - 1), expanded))
  else
    subtree:append_text(", empty")
  end
  if tvb:len() > size then
    Dissector.get("data"):call(tvb(size):tvb(), pinfo, tree)
  end
  return tvb:len()
end

function reflection.prefs_changed()
  if listening ~= "" then
    udp_ports:remove(listening, reflection_udp)
  end
  listening = reflection.prefs.udp_ports
  if listening ~= "" then
    udp_ports:add(listening, reflection_udp)
  end
end

register_postdissector(reflection)
