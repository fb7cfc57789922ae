// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_POINT_TO_POINT_PROCESS_CHANNEL_H
#define AIDC_POINT_TO_POINT_PROCESS_CHANNEL_H

#include "mpi-processes.h"

#include "ns3/point-to-point-channel.h"

#include <vector>

namespace ns3::aidc
{

/// A link of ns-3's point-to-point devices whose ends are simulated by two processes
/// (MpiProcesses).
class PointToPointProcessChannel : public PointToPointChannel, public RemoteLink
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PointToPointProcessChannel();

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> sender,
                       Time duration) override;

    void Receive(uint32_t end, const uint8_t* bytes, std::size_t size) override;

  private:
    std::vector<uint8_t> m_bytes; //!< memory for a packet
};

} // namespace ns3::aidc

#endif // AIDC_POINT_TO_POINT_PROCESS_CHANNEL_H
