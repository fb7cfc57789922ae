/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_LINK_FAILURES_H
#define AIDC_FABRIC_LINK_FAILURES_H

#include "ns3/breakable-link-error-model.h"
#include "ns3/event-id.h"
#include "ns3/fabric-plan.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Breaks and mends the links of a fabric.
 */
class FabricLinkFailures
{
  public:
    /// Told that everybody knows that a link is up or down now.
    using ConvergeCallback = std::function<void(uint32_t link, bool isUp)>;

    /**
     * @brief Constructor
     * @param fabric the plan
     * @param nodes its nodes
     * @param devices two a link: those of its ends; null where they are of another rank
     * @param converge told that everybody knows of a change
     */
    FabricLinkFailures(const FabricPlan& fabric,
                       const NodeContainer& nodes,
                       const std::vector<Ptr<NetDevice>>& devices,
                       ConvergeCallback converge);

    /**
     * @brief Set how long it takes until the ends of a link take their interfaces down or up.
     * @param delay the time; 0 by default
     */
    void SetDetectionDelay(Time delay);

    /**
     * @brief Set how long it takes, from then on, until everybody knows.
     * @param delay the time; 0 by default
     */
    void SetConvergenceDelay(Time delay);

    /**
     * @brief Check the index of a link.
     * @param link the index
     * @throws AidcInputError if there is no such link
     */
    void CheckLink(uint32_t link) const;

    /**
     * @brief Break or mend a link, and schedule what follows.
     * @param link the index of the link
     * @param isBroken whether it is to be broken
     */
    void SetBroken(uint32_t link, bool isBroken);

    /**
     * @brief Get the packets that were lost on broken links.
     * @return the packets that this rank's ends of the links should have received
     */
    uint64_t GetLostPackets() const;

  private:
    /// A link that has failed at some time.
    struct Wire
    {
        /// Its receiving sides at the ends a and b; null where this rank has no end.
        std::array<Ptr<BreakableLinkErrorModel>, 2> sides;
        bool isBroken{false}; //!< whether it is broken
        EventId detection;    //!< when its ends notice the last change
        EventId convergence;  //!< when the others do
    };

    /**
     * @brief Find a link that can break, or make it one.
     * @param link the index of the link
     * @return the link
     */
    Wire& GetWire(uint32_t link);

    /**
     * @brief Take the ends of a link up or down, as the link is now.
     * @param link the index of the link
     */
    void Detect(uint32_t link);

    /**
     * @brief Tell that everybody knows of the link as it is now.
     * @param link the index of the link
     */
    void Converge(uint32_t link);

    const FabricPlan& m_fabric;                   //!< the plan
    const NodeContainer& m_nodes;                 //!< its nodes
    const std::vector<Ptr<NetDevice>>& m_devices; //!< two a link
    ConvergeCallback m_converge;                  //!< told that everybody knows of a change
    Time m_detectionDelay;                        //!< until the ends know
    Time m_convergenceDelay;                      //!< until the others know
    std::map<uint32_t, Wire> m_wires;             //!< the links that have failed at some time
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_LINK_FAILURES_H
