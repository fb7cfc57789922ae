/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_OPCODE_H
#define AIDC_ROCE_OPCODE_H

#include "roce-packet.h"

#include <cstdint>

/// @file
/// The parts of a packet by opcode (InfiniBand Architecture Specification, volume 1, section 9.2.1,
/// and annex A17).

namespace ns3::aidc
{

/// The parts of a packet of an opcode.
struct RoceOpcodeInfo
{
    const char* name;   //!< as in "WRITE first"
    bool isKnown;       //!< whether it is in RoceOpcode; if not, all others are false
    bool isRequest;     //!< from requester to responder
    bool isResponse;    //!< from responder to requester
    bool startsMessage; //!< first or only packet of a message
    bool endsMessage;   //!< last or only packet of a message
    bool hasReth;       //!< has an RDMA extended transport header
    bool hasImmediate;  //!< has immediate data
    bool hasAeth;       //!< has an ACK extended transport header
    bool hasPayload;    //!< may have a payload
    uint8_t headerSize; //!< bytes of all headers after UDP, without extensions of ACKs
};

/// @param opcode the opcode, or any other number from the wire
/// @return the parts of such packets; isKnown tells whether there is such an opcode
const RoceOpcodeInfo& GetRoceOpcodeInfo(RoceOpcode opcode);

} // namespace ns3::aidc

#endif // AIDC_ROCE_OPCODE_H
