// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_QUEUE_PORT_H
#define AIDC_CSIG_QUEUE_PORT_H

#include "../core/csig/csig-fields.h"
#include "csig-agent.h"
#include "csig-domain.h"
#include "csig-port.h"

#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

/// CSIG in a switch's port whose device has no frames as bytes, like PointToPointNetDevice.
///
/// The tag is the packet tag CsigTag, from the sending host to the receiving one. It is updated
/// when the packet leaves the root queue disc. Hosts need no port.
///
/// Differences from CsigPort: tags take no bytes on the wire; PD is the time in the queue disc,
/// without the time in the device's own queue after it; the rate counts packets as they leave the
/// queue disc; and there is no ingress that could distrust senders.
class CsigQueuePort : public Object
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    /// Serve the packets that a port sends, and be aggregated to it.
    ///
    /// The attributes Domain, Agent and Overhead have no effect after that. An error in them ends
    /// the program.
    /// @param device the port, which has a root queue disc and an attribute DataRate
    void Install(Ptr<NetDevice> device);

    /// @return the agent that measures
    Ptr<CsigAgent> GetAgent() const
    {
        return m_agent;
    }

    /// @return the statistics; counters of received packets stay 0
    const CsigPortStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  protected:
    void DoDispose() override;

  private:
    /// Handle a packet that leaves the queue disc. @param item the packet
    void Dequeue(Ptr<const QueueDiscItem> item);

    Ptr<CsigAgent> m_agent;          //!< attribute Agent
    Ptr<CsigDomain> m_domain;        //!< attribute Domain
    Ptr<NetDevice> m_device;         //!< the port
    Ptr<QueueDisc> m_queueDisc;      //!< its root queue disc
    CsigPortStatistics m_statistics; //!< the statistics
    uint64_t m_sent{0};              //!< bytes that were sent
    uint32_t m_overhead{0};          //!< attribute Overhead
    bool m_stripsEgress{false};      //!< attribute StripEgress
    bool m_stripsUnsupported{false}; //!< attribute StripUnsupported
    TracedCallback<Ptr<const NetDevice>, const CsigFields&, const CsigFields&>
        m_updateTrace; //!< trace Update
    /// A trace source of tags.
    using TagTrace = TracedCallback<Ptr<const NetDevice>, const CsigFields&>;
    TagTrace m_stripTrace;       //!< trace Strip
    TagTrace m_unsupportedTrace; //!< trace Unsupported
    TagTrace m_sentTrace;        //!< trace TagSent
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_QUEUE_PORT_H
