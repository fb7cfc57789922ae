/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_NIC_SETTINGS_H
#define AIDC_ROCE_NIC_SETTINGS_H

#include "roce-nic-statistics.h"

#include "ns3/nstime.h"
#include "ns3/path-signals.h"
#include "ns3/ptr.h"
#include "ns3/roce-work.h"
#include "ns3/traced-callback.h"
#include "ns3/traffic-class-map.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The state of a queue pair, in InfiniBand's terms.
 */
enum class RoceQpState : uint8_t
{
    RESET,         //!< it is forgotten: the adapter has restarted
    READY_TO_SEND, //!< it is connected, and takes and sends requests
    ERROR          //!< it has failed: work requests are flushed, requests are dropped
};

/**
 * @ingroup aidc
 * @brief What a RoceNic and its ports have in common: attributes, counters and trace sources.
 */
struct RoceNicSettings
{
    TrafficClassMap classes;   //!< attribute DscpMap
    uint8_t cnpDscp{48};       //!< attribute CnpDscp
    uint8_t timeToLive{64};    //!< attribute TimeToLive
    Ptr<PathSignals> signals;  //!< attribute Signals
    RoceNicStatistics counted; //!< the statistics

    /// Trace sources of the adapter; the first argument is the number of the queue pair, or the
    /// index of the port's device.
    const TracedCallback<uint32_t, uint32_t, bool>* retransmission{nullptr}; //!< PSN, by a timeout
    const TracedCallback<uint32_t, uint32_t, bool>* pause{nullptr}; //!< class, whether it is paused
    const TracedCallback<uint32_t, uint64_t>* rate{nullptr};        //!< bit/s
    const TracedCallback<uint32_t, const RoceCompletion&>* completion{nullptr}; //!< what has ended
    const TracedCallback<uint32_t, RoceQpState>* state{nullptr};                //!< the new state
};

/**
 * @brief Get the position of a packet for PathSignals.
 * @param psn its packet sequence number
 * @return the 24 bits of the number as the upper ones, so that both wrap around together
 */
inline uint32_t
GetSignalPosition(uint32_t psn)
{
    return psn << 8;
}

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_SETTINGS_H
