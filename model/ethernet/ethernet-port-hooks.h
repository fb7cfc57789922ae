// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_PORT_HOOKS_H
#define AIDC_ETHERNET_PORT_HOOKS_H

#include "../core/ethernet/ethernet-fields.h"
#include "../core/ethernet/mac-control.h"
#include "ethernet-frame.h"

#include "ns3/object.h"
#include "ns3/packet.h"

/// @file
/// What can be plugged into an EthernetNetDevice.

namespace ns3::aidc
{

class EthernetNetDevice;

/// Processes the last tag of a port's frames, when they arrive and when their transmission
/// starts. Inside the node, the tag is in the FrameContext.
class EthernetTagProcessor : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Tell which tags the port is to recognize. @return the kinds of tags
    virtual KnownTags GetKnownTags() const = 0;

    /// Look at a frame that has arrived, before anything else in the node does. context: the
    /// frame's tag, which may be changed or removed, and its time of arrival. @return false to drop
    /// the frame
    virtual bool Receive(EthernetNetDevice& device,
                         const EthernetFrame& frame,
                         FrameContext& context) = 0;

    /// Look at a frame whose transmission starts. frame: the frame, still without tags; context:
    /// the frame's tag, which may be set, changed or removed.
    virtual void Transmit(EthernetNetDevice& device,
                          const EthernetFrame& frame,
                          FrameContext& context) = 0;
};

/// Gets a port's frames before ns-3's stack does.
class EthernetFrameHandler : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Take a frame that has arrived for this port's address, or leave it to ns-3's stack. frame:
    /// the frame; without packet if it was taken, unchanged otherwise. @return whether it was taken
    virtual bool Handle(EthernetNetDevice& device,
                        EthernetFrame& frame,
                        const FrameContext& context) = 0;
};

/// Makes IPv4 packets for a port when they can be sent, in addition to the port's queue disc. The
/// two take turns while both have something to send.
///
/// If the other end of the link can pause traffic classes of the source, the source is a
/// PausableClasses, too.
class EthernetFrameSource : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Make the next frame, now that the port is idle; asked after RequestFrame(). frame: gets a
    /// packet and an IPv4 header; context: may get a tag. @return false if there is none
    virtual bool TakeFrame(EthernetNetDevice& device,
                           EthernetFrame& frame,
                           FrameContext& context) = 0;

    /// Tell whether there will be a frame when the one just taken has been sent.
    /// @return true if so; if false, the source calls RequestFrame() when it has one
    virtual bool HasFrame() const = 0;
};

/// Sends and receives a port's MAC control frames (IEEE 802.3, clause 31), which never reach
/// the node.
class EthernetMacControl : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Take a frame that has arrived. payload: what follows the frame's header; fields: the header.
    /// @return false if the frame is to be discarded
    virtual bool Receive(EthernetNetDevice& device,
                         const Ptr<const Packet>& payload,
                         const EthernetFields& fields) = 0;

    /// Say what to send, now that the port is idle; asked after RequestControl().
    /// @return false if there is nothing to send any more
    virtual bool TakeFrame(EthernetNetDevice& device, MacControlFrame& frame) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_HOOKS_H
