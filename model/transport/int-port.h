// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INT_PORT_H
#define AIDC_INT_PORT_H

#include "../core/transport/int-header.h"

#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::aidc
{

/// What an IntPort counts.
struct IntPortStatistics
{
    uint64_t written{0};  //!< packets whose header it has written into
    uint64_t overfull{0}; //!< packets whose header had no room left
};

/// In-band telemetry in an Ethernet port of a switch, as HPCC needs it: Li et al., "HPCC:
/// High Precision Congestion Control", SIGCOMM 2019.
///
/// When the transmission of a RoCEv2 packet with a telemetry header (int-header.h) starts, the port
/// writes the rate of its link, the time, the bytes that it has sent before, and the bytes that are
/// left in its queues. Acknowledgments, which bring telemetry back, and packets in tunnels stay as
/// they are.
///
/// Bytes sent are counted as on the wire, with preamble and gap, so that a busy link sends at its
/// rate. The number of the switch is the ID of its node.
///
/// It has the place of a port's tag processor, so a port has either this or CsigPort.
class IntPort : public EthernetTagProcessor
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Become the tag processor of a port, and be aggregated to it.
    ///
    /// The program ends if the port has one, or if no code stands for its rate (FindIntRateCode()).
    /// A later change of the rate has no effect on what is written.
    /// @param device the port
    void Install(Ptr<EthernetNetDevice> device);

    /// @return the statistics
    const IntPortStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From EthernetTagProcessor
    KnownTags GetKnownTags() const override
    {
        return {};
    }

    bool Receive(EthernetNetDevice&, const EthernetFrame&, FrameContext&) override
    {
        return true;
    }

    void Transmit(EthernetNetDevice& device,
                  const EthernetFrame& frame,
                  FrameContext& context) override;

  private:
    /// Write into the telemetry header of a packet, if it has one.
    void Write(EthernetNetDevice& device, Packet& packet);

    uint32_t m_switchId{0};         //!< the number of the switch
    uint32_t m_overhead{0};         //!< bytes of a frame on the wire in addition to its own
    uint8_t m_rateCode{0};          //!< code of the link's rate
    IntPortStatistics m_statistics; //!< the statistics
};

} // namespace ns3::aidc

#endif // AIDC_INT_PORT_H
