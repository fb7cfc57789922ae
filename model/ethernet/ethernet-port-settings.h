/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_PORT_SETTINGS_H
#define AIDC_ETHERNET_PORT_SETTINGS_H

#include "../core/ethernet/ethernet-fields.h"
#include "ethernet-port-hooks.h"

#include "ns3/error-model.h"
#include "ns3/queue-size.h"

#include <cstdint>

namespace ns3::aidc
{

/// The settings of an EthernetNetDevice, and what is plugged into it.
struct EthernetPortSettings
{
    uint32_t overhead{20};                  //!< attribute Overhead
    bool needsArp{false};                   //!< attribute NeedsArp
    bool isContextKept{false};              //!< whether packets keep contexts in ns-3's stack
    KnownTags knownTags;                    //!< the kinds of tags after VLAN tags
    Ptr<EthernetTagProcessor> tagProcessor; //!< processes the last tag, null for none
    Ptr<EthernetFrameHandler> frameHandler; //!< gets frames first, null for none
    Ptr<EthernetFrameSource> frameSource;   //!< makes frames beside the queue disc, null for none
    Ptr<EthernetMacControl> macControl;     //!< sends and receives MAC control, null for none
    Ptr<ErrorModel> receiveErrorModel;      //!< attribute ReceiveErrorModel
    QueueSize queueSize;                    //!< attribute TxQueueSize
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_SETTINGS_H
