// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_STARTED_CONTROL_H
#define AIDC_STARTED_CONTROL_H

#include "model/core/csig/csig-quantizer.h"
#include "test/test-case.h"

#include "ns3/congestion-control.h"

// Congestion controls whose connection has begun, and what they are told.

namespace aidctest
{

/// Make the connection of all tests: 100 Gbit/s, packets of 1000 bytes, 8 us.
inline CongestionControl::Connection
MakeConnection()
{
    CongestionControl::Connection connection;
    connection.lineRate = 100000000000;
    connection.packetSize = 1000;
    connection.baseRtt = MicroSeconds(8);
    return connection;
}

/// Make a congestion control and start its connection at 0.
template <typename T>
Ptr<T>
MakeStarted(const Attributes& attributes = {})
{
    auto control = CreateObject<T>();
    SetAll(control, attributes);
    control->Start(Time(0), MakeConnection());
    return control;
}

/// Make an acknowledgment of one packet that has passed two routers.
inline CongestionControl::Acknowledgment
MakeAcknowledgment(Time rtt)
{
    CongestionControl::Acknowledgment acknowledgment;
    acknowledgment.rtt = rtt;
    acknowledgment.nPackets = 1;
    acknowledgment.nBytes = 1000;
    acknowledgment.nHops = 2;
    return acknowledgment;
}

inline CsigReading
MakeReading(CsigSignal signal, uint64_t value)
{
    return {signal, {value, value + 1}, {}, true};
}

} // namespace aidctest

#endif // AIDC_STARTED_CONTROL_H
