-- Copyright (c) 2026 The aidc authors
--
-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark dissector of CSIG (draft-ravi-ippm-csig-01, February 2024): the tag of layer 2 in both
-- formats, and its reflection in an experimental TCP option (RFC 6994). For Wireshark 4.0 and
-- later.
--
-- Copy this file to the folder "Personal Lua Plugins" of Wireshark's Help, About, Folders, or run
-- tshark -X lua_script:csig.lua. Preferences: csig.tpid_compact, csig.tpid_expanded and
-- csig_reflection.exid, in decimal.

local TPID_COMPACT = 0x88b5
local TPID_EXPANDED = 0x88b6
local EXID = 0xc516
local EXPERIMENTAL_KINDS = {[253] = true, [254] = true}
local OPTION_EMPTY_SIZE = 4 -- kind, length, experiment identifier
local SMALLEST_ETHERTYPE = 0x600 -- what is below is a length

local FORMATS = {[0] = "Compact", [1] = "Expanded"}
local TYPES = {[0] = "min(ABW)", [1] = "min(ABW/C)", [2] = "max(PD)", [3] = "max(nQD)"}

-- Makes the fields of one place where CSIG data fields are: the tag, or the option.
local function make_fields(prefix)
  return {
    format = ProtoField.uint8(prefix .. ".format", "Format", base.DEC, FORMATS),
    type = ProtoField.uint8(prefix .. ".type", "Signal type", base.DEC, TYPES),
    reserved = ProtoField.uint8(prefix .. ".reserved", "Reserved", base.HEX),
    value = ProtoField.uint32(prefix .. ".value", "Signal value", base.DEC),
    lm = ProtoField.uint16(prefix .. ".lm", "Locator metadata", base.HEX)
  }
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
  for _, part in ipairs(parts) do
    tree:add(part[1], part[2], part[3])
    by_field[part[1]] = part[3]
  end
  local type = by_field[fields.type]
  return string.format(
    "%s: %d, locator 0x%x",
    TYPES[type] or "type " .. type,
    by_field[fields.value],
    by_field[fields.lm]
  )
end

-- The tag. Ethernet and VLAN have read the TPID already: here are the data fields, the EtherType of
-- what follows, and what follows.

local csig = Proto("csig", "Congestion Signaling tag")
local tag = make_fields("csig")
local tag_etype = ProtoField.uint16("csig.etype", "EtherType", base.HEX)
csig.fields = {tag.format, tag.type, tag.reserved, tag.value, tag.lm, tag_etype}
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

local ethertypes = DissectorTable.get("ethertype")
local tpids = {compact = TPID_COMPACT, expanded = TPID_EXPANDED}

function csig.prefs_changed()
  ethertypes:remove(tpids.compact, csig)
  ethertypes:remove(tpids.expanded, csig)
  tpids = {compact = csig.prefs.tpid_compact, expanded = csig.prefs.tpid_expanded}
  ethertypes:add(tpids.compact, csig)
  ethertypes:add(tpids.expanded, csig)
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
reflection.fields = {
  reflected.format,
  reflected.type,
  reflected.reserved,
  reflected.value,
  reflected.lm,
  reflected_empty
}
local option_length =
  ProtoExpert.new(
  "csig_reflection.bad_length",
  "CSIG option is neither 4 nor 6 nor 10 bytes long",
  expert.group.MALFORMED,
  expert.severity.WARN
)
reflection.experts = {option_length}
reflection.prefs.exid = Pref.uint("Experiment identifier", EXID, "50454 is 0xC516")

local tcp_options = Field.new("tcp.options")

-- Adds one TCP option to the tree if it is CSIG's.
local function add_option(tree, range, kind, length)
  if not EXPERIMENTAL_KINDS[kind] or length < OPTION_EMPTY_SIZE or
      range(2, 2):uint() ~= reflection.prefs.exid then
    return
  end
  local subtree = tree:add(reflection, range)
  local size = length - OPTION_EMPTY_SIZE
  if size == 0 then
    subtree:add(reflected_empty, range(0, length), true):set_generated()
    subtree:append_text(", empty")
  elseif size == 2 or size == 6 then
    subtree:add(reflected_empty, range(0, length), false):set_generated()
    local data = range(OPTION_EMPTY_SIZE, size)
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

register_postdissector(reflection)
