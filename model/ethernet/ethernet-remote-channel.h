/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_REMOTE_CHANNEL_H
#define AIDC_ETHERNET_REMOTE_CHANNEL_H

#include "ethernet-channel.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A link whose ends are simulated by two ranks, in an ns-3 with MPI.
 *
 * Each rank has both ends, of which one is never used. A failure is to be scheduled on both ranks;
 * frames that are on the link when it is restored within their delay are not lost.
 */
class EthernetRemoteChannel : public EthernetChannel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Carry(EthernetFrame& frame, uint32_t end, uint32_t epoch, Time duration) override;
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_REMOTE_CHANNEL_H
