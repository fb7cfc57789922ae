/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_PORT_HOOKS_H
#define AIDC_ETHERNET_PORT_HOOKS_H

#include "../core/ethernet/ethernet-fields.h"
#include "../core/ethernet/mac-control.h"
#include "ethernet-frame.h"
#include "frame-context.h"

#include "ns3/object.h"
#include "ns3/packet.h"

#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * @brief What may be plugged into an EthernetNetDevice.
 */

namespace ns3::aidc
{

class EthernetNetDevice;

/**
 * @ingroup aidc
 * @brief Works on the last tag of a port's frames: at reception, and at transmission start.
 *
 * In the node the tag is in the FrameContext.
 */
class EthernetTagProcessor : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ~EthernetTagProcessor() override;

    /// Tell which tags the port is to recognize. @return the kinds of tags
    virtual KnownTags GetKnownTags() const = 0;

    /**
     * @brief Look at a frame that has arrived, before anyone in the node does.
     * @param device the port
     * @param frame the frame
     * @param context the frame's tag, which may be changed or taken away, and its arrival
     * @return false to drop the frame
     */
    virtual bool Receive(EthernetNetDevice& device,
                         const EthernetFrame& frame,
                         FrameContext& context) = 0;

    /**
     * @brief Look at a frame whose transmission starts.
     * @param device the port
     * @param frame the frame, still without tags
     * @param context the frame's tag, which may be set, changed or taken away
     */
    virtual void Transmit(EthernetNetDevice& device,
                          const EthernetFrame& frame,
                          FrameContext& context) = 0;
};

/**
 * @ingroup aidc
 * @brief Takes a port's frames before ns-3's stack does.
 */
class EthernetFrameHandler : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ~EthernetFrameHandler() override;

    /**
     * @brief Take a frame that has arrived for this port's address.
     * @param device the port
     * @param [in,out] frame the frame; without packet if it was taken, unchanged otherwise
     * @param context the context of the frame
     * @return whether the frame was taken; otherwise it goes to ns-3's stack
     */
    virtual bool Handle(EthernetNetDevice& device,
                        EthernetFrame& frame,
                        const FrameContext& context) = 0;
};

/**
 * @ingroup aidc
 * @brief Makes IPv4 packets for a port at the moment at which they can be sent, beside the port's
 *        queue disc. The two take turns while both have something to send.
 *
 * A source whose packets belong to traffic classes that the link's other end may stop is a
 * PausableClasses, too.
 */
class EthernetFrameSource : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ~EthernetFrameSource() override;

    /**
     * @brief Make the next frame, now that the port is idle; asked after RequestFrame().
     * @param device the port
     * @param [in,out] frame the frame, to be given a packet and an IPv4 header
     * @param [in,out] context the frame's context, which may be given a tag
     * @return false if there is none
     */
    virtual bool TakeFrame(EthernetNetDevice& device,
                           EthernetFrame& frame,
                           FrameContext& context) = 0;

    /// Tell whether to ask for a frame when the one just taken has been sent.
    /// @return whether there will be one then; otherwise RequestFrame() will be called
    virtual bool HasFrame() const = 0;
};

/**
 * @ingroup aidc
 * @brief Sends and takes a port's MAC control frames (IEEE 802.3, clause 31), which never reach the
 *        node.
 */
class EthernetMacControl : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ~EthernetMacControl() override;

    /**
     * @brief Take a frame that has arrived.
     * @param device the port
     * @param payload what follows the frame's header
     * @param fields the frame's header
     * @return false if the frame is to be discarded
     */
    virtual bool Receive(EthernetNetDevice& device,
                         const Ptr<const Packet>& payload,
                         const EthernetFields& fields) = 0;

    /**
     * @brief Say what to send, now that the port is idle; asked after RequestControl().
     * @param device the port
     * @param [out] frame what to send
     * @return false if there is nothing to send any more
     */
    virtual bool TakeFrame(EthernetNetDevice& device, MacControlFrame& frame) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_HOOKS_H
