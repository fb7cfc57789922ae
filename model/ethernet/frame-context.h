/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FRAME_CONTEXT_H
#define AIDC_FRAME_CONTEXT_H

#include "../core/ethernet/ethernet-fields.h"

#include "ns3/tag.h"

#include <array>
#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/// What a node knows of a packet in addition to its bytes, from the port of arrival to the port of
/// departure.
struct FrameContext
{
    /// The ingress port of a packet that was made in the node.
    static constexpr uint16_t NO_PORT = std::numeric_limits<uint16_t>::max();
    /// The priority of a packet that has not arrived with a VLAN tag.
    static constexpr uint8_t NO_PRIORITY = VlanTag::NO_PRIORITY;

    int64_t arrival{0}; //!< when its last bit has arrived, in time steps
    std::array<uint8_t, EthernetFields::MAX_TAG> tag{}; //!< the frame's last tag, with its TPID
    uint8_t tagSize{0};                                 //!< bytes of that tag, 0 without one
    bool isOwnTag{false};                               //!< whether the tag was made in this node
    uint8_t priority{NO_PRIORITY};                      //!< of the frame's outermost VLAN tag
    uint16_t ingressPort{NO_PORT};                      //!< the index of the device
};

/// Carries a FrameContext through ns-3's stack, as a packet tag. It leaves out isOwnTag, because
/// tags that are made in a node do not pass its stack.
class FrameContextTag : public Tag
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Constructor. @param context what to carry
    explicit FrameContextTag(const FrameContext& context = FrameContext());

    /// Get what it carries. @return the context
    const FrameContext& GetContext() const
    {
        return m_context;
    }

    // From Tag
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer i) const override;
    void Deserialize(TagBuffer i) override;
    void Print(std::ostream& os) const override;

  private:
    FrameContext m_context; //!< what it carries
};

} // namespace ns3::aidc

#endif // AIDC_FRAME_CONTEXT_H
