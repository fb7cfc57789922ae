/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-packet.h"

#include <array>

namespace ns3::aidc
{

namespace
{

// clang-format off
/// Opcodes by their numbers, which have no gaps but one before CNP; at last, what is none.
constexpr std::array<RoceOpcodeInfo, 20> OPCODES{{
    // name                     known request respon first  last   RETH   imm    AETH  payload size
    {"SEND first",              true, true,  false, true,  false, false, false, false, true,  12},
    {"SEND middle",             true, true,  false, false, false, false, false, false, true,  12},
    {"SEND last",               true, true,  false, false, true,  false, false, false, true,  12},
    {"SEND last immediate",     true, true,  false, false, true,  false, true,  false, true,  16},
    {"SEND only",               true, true,  false, true,  true,  false, false, false, true,  12},
    {"SEND only immediate",     true, true,  false, true,  true,  false, true,  false, true,  16},
    {"WRITE first",             true, true,  false, true,  false, true,  false, false, true,  28},
    {"WRITE middle",            true, true,  false, false, false, false, false, false, true,  12},
    {"WRITE last",              true, true,  false, false, true,  false, false, false, true,  12},
    {"WRITE last immediate",    true, true,  false, false, true,  false, true,  false, true,  16},
    {"WRITE only",              true, true,  false, true,  true,  true,  false, false, true,  28},
    {"WRITE only immediate",    true, true,  false, true,  true,  true,  true,  false, true,  32},
    {"READ request",            true, true,  false, true,  true,  true,  false, false, false, 28},
    {"READ response first",     true, false, true,  true,  false, false, false, true,  true,  16},
    {"READ response middle",    true, false, true,  false, false, false, false, false, true,  12},
    {"READ response last",      true, false, true,  false, true,  false, false, true,  true,  16},
    {"READ response only",      true, false, true,  true,  true,  false, false, true,  true,  16},
    {"ACK",                     true, false, true,  false, false, false, false, true,  false, 16},
    {"CNP",                     true, false, false, false, false, false, false, false, false, 28},
    {"unknown",                 false, false, false, false, false, false, false, false, false, 0},
}};
// clang-format on

constexpr std::size_t CNP_INDEX = 18;     //!< where the congestion notification packet is
constexpr std::size_t UNKNOWN_INDEX = 19; //!< where unknown opcodes are

} // namespace

const RoceOpcodeInfo&
GetRoceOpcodeInfo(RoceOpcode opcode)
{
    if (opcode <= RoceOpcode::ACKNOWLEDGE)
    {
        return OPCODES[static_cast<std::size_t>(opcode)];
    }
    return OPCODES[opcode == RoceOpcode::CNP ? CNP_INDEX : UNKNOWN_INDEX];
}

} // namespace ns3::aidc
