/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_PORT_TRACES_H
#define AIDC_ETHERNET_PORT_TRACES_H

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The trace sources of an EthernetNetDevice; each is the one of its name.
 */
struct EthernetPortTraces
{
    /// A trace source of packets.
    using PacketTrace = TracedCallback<Ptr<const Packet>>;

    /// Tell whether somebody watches frames that are sent. @return whether somebody does
    bool AreFramesSent() const
    {
        return !sniffer.IsEmpty() || !promiscSniffer.IsEmpty() || !phyTxBegin.IsEmpty();
    }

    /// Tell whether somebody watches frames that arrive. @return whether somebody does
    bool AreFramesReceived() const
    {
        return !sniffer.IsEmpty() || !promiscSniffer.IsEmpty() || !phyRxEnd.IsEmpty() ||
               !macRx.IsEmpty() || !macPromiscRx.IsEmpty();
    }

    PacketTrace macTx;          //!< MacTx
    PacketTrace macTxDrop;      //!< MacTxDrop
    PacketTrace macPromiscRx;   //!< MacPromiscRx
    PacketTrace macRx;          //!< MacRx
    PacketTrace phyTxBegin;     //!< PhyTxBegin
    PacketTrace phyTxEnd;       //!< PhyTxEnd
    PacketTrace phyRxEnd;       //!< PhyRxEnd
    PacketTrace phyRxDrop;      //!< PhyRxDrop
    PacketTrace sniffer;        //!< Sniffer
    PacketTrace promiscSniffer; //!< PromiscSniffer

    TracedCallback<bool> linkState; //!< LinkState
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_TRACES_H
