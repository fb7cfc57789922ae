/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_REMOTE_CHANNEL_H
#define AIDC_ETHERNET_REMOTE_CHANNEL_H

#include "ethernet-channel.h"

#include "ns3/mpi-processes.h"

#include <vector>

namespace ns3::aidc
{

/**
 * @brief A link whose ends are simulated by two processes (MpiProcesses).
 *
 * Each process has both ends. It sends by its own end, and the end of the other process gets
 * nothing. A failure is to be scheduled in both processes, as all events without a node are.
 */
class EthernetRemoteChannel : public EthernetChannel, public RemoteLink
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Receive(uint32_t end, const uint8_t* bytes, std::size_t size) override;

  private:
    void Deliver(uint32_t end, uint32_t epoch, EthernetFrame& frame, Time delay) override;

    std::vector<uint8_t> m_bytes; //!< memory for a frame
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_REMOTE_CHANNEL_H
