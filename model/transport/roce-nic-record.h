/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_NIC_RECORD_H
#define AIDC_ROCE_NIC_RECORD_H

#include "../core/buffer/traffic-class-map.h"
#include "../path-signals.h"
#include "roce-nic-statistics.h"

#include "ns3/ipv4-header.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/roce-packet.h"
#include "ns3/roce-work.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

/// The attributes of a RoceNic that its ports and queue pairs read. Only the adapter sets them.
struct RoceNicSettings
{
    TrafficClassMap classes;  //!< attribute DscpMap
    uint8_t cnpDscp{0};       //!< attribute CnpDscp
    uint8_t timeToLive{0};    //!< attribute TimeToLive
    int64_t cnpInterval{0};   //!< attribute CnpInterval, ns
    Time cnpDelay;            //!< attribute CnpDelay
    Time ackDelay;            //!< attribute AckDelay
    Time messageDelay;        //!< attribute MessageDelay
    bool isVerified{false};   //!< attribute VerifyInvariantCrc
    Ptr<PathSignals> signals; //!< attribute Signals
};

/// The state of a queue pair, in InfiniBand's terms.
enum class RoceQpState : uint8_t
{
    RESET,         //!< the adapter has restarted and forgotten it
    READY_TO_SEND, //!< it is connected, and takes and sends requests
    ERROR          //!< it has failed: work requests are flushed, requests are dropped
};

/**
 * @brief The statistics and the trace sources of a RoceNic, shared by its ports and queue pairs.
 *
 * The first argument of a trace source is the number of the queue pair, or the index of the port's
 * device; of those of IP packets it is the last one.
 */
struct RoceNicRecord
{
    RoceNicStatistics counted; //!< RoceNic::GetStatistics()

    TracedCallback<uint32_t, uint32_t, bool> retransmission;    //!< trace Retransmission
    TracedCallback<uint32_t, uint32_t, bool> pause;             //!< trace Pause
    TracedCallback<uint32_t, uint64_t> rate;                    //!< trace Rate
    TracedCallback<uint32_t, RoceQpState> state;                //!< trace State
    TracedCallback<uint32_t, const RocePacket&> received;       //!< trace Rx
    TracedCallback<uint32_t, const RoceCompletion&> completion; //!< trace Completion

    TracedCallback<const Ipv4Header&, Ptr<const Packet>, uint32_t> sent;      //!< SendOutgoing
    TracedCallback<const Ipv4Header&, Ptr<const Packet>, uint32_t> delivered; //!< LocalDeliver
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_RECORD_H
