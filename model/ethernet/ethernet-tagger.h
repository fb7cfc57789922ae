/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_TAGGER_H
#define AIDC_ETHERNET_TAGGER_H

#include "../core/ethernet/ethernet-fields.h"
#include "../core/ethernet/vlan-membership.h"
#include "ethernet-port-hooks.h"
#include "frame-context.h"

#include "ns3/packet.h"

namespace ns3::aidc
{

/// Adds tags to the frames that a port sends, and reads the tags of arriving frames: VLAN tags, and
/// one tag after them if there is an EthernetTagProcessor for it.
class EthernetTagger
{
  public:
    /// Constructor. @param device the port, for the tag processor
    /// @param vlans the VLANs, which outlive this object
    EthernetTagger(EthernetNetDevice& device, const VlanMembership& vlans)
        : m_device(device),
          m_vlans(vlans)
    {
    }

    /// @return the VLANs
    const VlanMembership& GetVlans() const
    {
        return m_vlans;
    }

    /// Set the processor of the last tag. @param processor the processor, null for none
    void SetProcessor(const Ptr<EthernetTagProcessor>& processor)
    {
        m_processor = processor;
        m_knownTags = processor ? processor->GetKnownTags() : KnownTags();
        m_isContextKept = m_isContextKept || processor;
    }

    /// Get the processor of the last tag. @return the processor, null if there is none
    const Ptr<EthernetTagProcessor>& GetProcessor() const
    {
        return m_processor;
    }

    /// @return the kinds of tags that frames may have after VLAN tags
    const KnownTags& GetKnownTags() const
    {
        return m_knownTags;
    }

    /// Have packets keep their context in ns-3's stack. @param isKept whether they do
    void SetKeepContext(bool isKept)
    {
        m_isContextKept = isKept;
    }

    /// Give a packet for ns-3's stack its context, if contexts are to be kept.
    void KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const
    {
        if (m_isContextKept)
        {
            FrameContextTag tag(context);
            packet->ReplacePacketTag(tag);
        }
    }

    /// Add the tags to a frame whose transmission starts. frame: the frame, still without tags;
    /// context: the packet's context; the processor may change its tag.
    void Tag(EthernetFrame& frame, FrameContext& context) const
    {
        EthernetFields& fields = frame.fields;
        if (m_processor)
        {
            m_processor->Transmit(m_device, frame, context);
            fields.tag = context.tag;
            fields.tagSize = context.tagSize;
        }
        m_vlans.AddTags(fields, context.priority);
    }

    /// Have the processor look at the tag of a frame that has arrived. context: the frame's
    /// context; the processor may change its tag. @return false if the frame is to be dropped
    bool Accepts(const EthernetFrame& frame, FrameContext& context) const
    {
        return !m_processor || m_processor->Receive(m_device, frame, context);
    }

  private:
    EthernetNetDevice& m_device;           //!< the port
    const VlanMembership& m_vlans;         //!< the VLANs
    Ptr<EthernetTagProcessor> m_processor; //!< processes the last tag
    KnownTags m_knownTags;                 //!< the kinds of tags after VLAN tags
    bool m_isContextKept{false};           //!< whether packets keep contexts in the stack
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_TAGGER_H
