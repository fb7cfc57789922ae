/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRAFFIC_CLASSIFIER_H
#define AIDC_TRAFFIC_CLASSIFIER_H

#include "../core/buffer/traffic-class-map.h"
#include "../core/buffer/traffic-class-scheduler.h"

#include "ns3/object.h"
#include "ns3/queue-item.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Chooses the traffic class of a packet.
 *
 * A packet's class is chosen by its DSCP. If an L4S class is set, packets with the ECN codepoints
 * ECT(1) and CE go to this class instead (RFC 9331, section 5.1). Packets that are not IP go to
 * NonIpClass. With Trust Pcp, packets that arrived with a VLAN tag go to the class of its priority
 * code point (IEEE 802.1Q) instead.
 */
class TrafficClassifier : public Object
{
  public:
    /// The field of a packet that chooses its class.
    enum TrustKind
    {
        DSCP, //!< the DSCP
        PCP   //!< the priority code point of the VLAN tag, the DSCP without a tag
    };

    /// The largest number of classes.
    static constexpr uint32_t MAX_CLASSES = TrafficClassScheduler::MAX_CLASSES;

    /// Returns the priority code point of a packet's VLAN tag; 8 or more without a tag.
    using PriorityReader = std::function<uint8_t(const QueueDiscItem& item)>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Start.
    /// @param nClasses the number of classes
    /// @throws std::runtime_error if a map names another class
    void Start(uint32_t nClasses);

    /// Choose the class of a packet. @return the number of the class
    uint32_t Classify(const QueueDiscItem& item) const;

    /**
     * @brief Get the class of packets with a type of service.
     * @param tos the second byte of the IPv4 header, or the traffic class of the IPv6 one
     * @return the class
     */
    uint32_t GetClassOfTos(uint8_t tos) const
    {
        return m_map.GetClassOfTos(tos);
    }

    /// Set the function that returns the priority code points of packets, for Trust Pcp.
    /// @param reader the function
    void SetPriorityReader(PriorityReader reader);

    /// @return whether classes are chosen by priority code points, for packets with VLAN tags
    bool IsPcpTrusted() const
    {
        return m_trust == PCP;
    }

  private:
    /// @return the number of classes that maps may name
    uint32_t GetMostClasses() const
    {
        return m_nClasses > 0 ? m_nClasses : MAX_CLASSES;
    }

    /// Set the field that chooses the class of a packet.
    /// @throws std::invalid_argument if it is PCP and nothing tells the code points of packets
    void SetTrust(TrustKind trust);

    /// Set the class of packets that are ECT(1) or CE, -1 for none.
    /// @throws std::invalid_argument if there is no such class
    void SetL4sClass(int32_t index);

    /// Apply a changed map of classes, once there are classes.
    void FillMap();

    /// The error if there is no reader of priority code points.
    static constexpr const char* UNKNOWN_PRIORITIES =
        "nothing tells the priority code points of packets";

    TrafficClassMap m_map;           //!< chooses by numbers
    PriorityReader m_priorityReader; //!< returns PCPs
    TrustKind m_trust{DSCP};         //!< attribute Trust
    uint32_t m_nClasses{0};          //!< the number of classes, 0 before Start()
};

} // namespace ns3::aidc

#endif // AIDC_TRAFFIC_CLASSIFIER_H
