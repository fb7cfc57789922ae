/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_NIC_SETTINGS_H
#define AIDC_ROCE_NIC_SETTINGS_H

#include "../core/buffer/traffic-class-map.h"
#include "../path-signals.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::aidc
{

/// The attributes of a RoceNic that its ports and queue pairs read. Only the adapter sets them.
struct RoceNicSettings
{
    TrafficClassMap classes;  //!< attribute DscpMap
    uint8_t cnpDscp{0};       //!< attribute CnpDscp
    uint8_t timeToLive{0};    //!< attribute TimeToLive
    int64_t cnpInterval{0};   //!< attribute CnpInterval, ns
    Time cnpDelay;            //!< attribute CnpDelay
    Time ackDelay;            //!< attribute AckDelay
    Time messageDelay;        //!< attribute MessageDelay
    bool isVerified{false};   //!< attribute VerifyInvariantCrc
    Ptr<PathSignals> signals; //!< attribute Signals
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_SETTINGS_H
