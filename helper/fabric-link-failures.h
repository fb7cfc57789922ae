// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_LINK_FAILURES_H
#define AIDC_FABRIC_LINK_FAILURES_H

#include "../model/core/fabric/fabric-elements.h"

#include "ns3/ethernet-channel.h"
#include "ns3/event-id.h"
#include "ns3/link-failure-error-model.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// Fails and restores the links of a fabric.
///
/// An EthernetChannel has a function to fail it. ns-3's point-to-point channel has none: here, a
/// LinkFailureErrorModel at both ends loses its packets.
class FabricLinkFailures
{
  public:
    /// Called when all nodes know that a link is up or down now.
    using ConvergeCallback = std::function<void(LinkIndex link, bool isUp)>;

    /// links: of a plan, which may change until one fails; nodes: port i is IPv4 interface i + 1;
    /// devices: two a link, null where of another process; converge: called when all nodes know.
    FabricLinkFailures(const FabricLinks& links,
                       const NodeContainer& nodes,
                       const std::vector<Ptr<NetDevice>>& devices,
                       ConvergeCallback converge);

    /// Set how long it takes until the ends of a link take their interfaces down or up: 0 by
    /// default.
    void SetDetectionDelay(Time delay)
    {
        m_detectionDelay = delay;
    }

    /// Set how long it takes, after detection, until all nodes know: 0 by default.
    void SetConvergenceDelay(Time delay)
    {
        m_convergenceDelay = delay;
    }

    /// @return how long it takes, after detection, until all nodes know
    Time GetConvergenceDelay() const
    {
        return m_convergenceDelay;
    }

    /// Check the index of a link. @throws AidcInputError if there is no such link
    void CheckLink(LinkIndex link) const;

    /// Check the times, from now on, when a link fails and is restored.
    /// @throws AidcInputError if the failure is in the past or the restoration not after it
    static void CheckTimes(Time failure, Time restoration);

    /// Fail or restore a link, and schedule detection and convergence.
    void SetFailed(LinkIndex link, bool isFailed);

    /// @return the packets that were lost because of failed links, on the way or discarded by their
    ///         ends at detection; with several processes (MpiProcesses), each one asks at the same
    ///         point
    uint64_t GetLostPackets() const;

  private:
    /// A link that has failed at some time.
    struct Link
    {
        Ptr<EthernetChannel> channel; //!< its channel; null for a point-to-point link
        /// The receiving sides of a point-to-point link; null where this process has no end.
        std::array<Ptr<LinkFailureErrorModel>, 2> sides;
        bool isFailed{false}; //!< whether it has failed
        EventId detection;    //!< when its ends notice the last change
        EventId convergence;  //!< when the other nodes know of it
    };

    /// Find a link that can fail, or prepare it.
    Link& GetLink(LinkIndex link);

    /// @return the time after which the ends of a link notice a change
    Time GetDetectionDelay(const Link& link) const;

    /// Fail or restore the channel or the error models of a link.
    void Apply(const Link& link) const;

    /// Take the ends of a link up or down, as the link is now.
    void Detect(LinkIndex link);

    /// Report that all nodes know the present state of the link.
    void Converge(LinkIndex link)
    {
        m_converge(link, !GetLink(link).isFailed);
    }

    const FabricLinks& m_plan;                    //!< the links of the plan
    const NodeContainer& m_nodes;                 //!< the nodes
    const std::vector<Ptr<NetDevice>>& m_devices; //!< two a link
    ConvergeCallback m_converge;                  //!< called when all nodes know of a change
    std::optional<Time> m_detectionDelay;         //!< SetDetectionDelay()
    Time m_convergenceDelay;                      //!< from detection until all nodes know
    std::map<LinkIndex, Link> m_links;            //!< the links that have failed at some time
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_LINK_FAILURES_H
