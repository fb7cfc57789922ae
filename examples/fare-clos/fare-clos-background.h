/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_BACKGROUND_H
#define AIDC_FARE_CLOS_BACKGROUND_H

#include "fare-clos-network.h"
#include "fare-clos-scenario.h"

#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::FareClosBackground declaration.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The background traffic of FareClosExperiment: UDP at a constant rate between the two
///        switches of a link, in both directions. It goes before RoCEv2, slows down for nobody, and
///        no route moves it.
class FareClosBackground
{
  public:
    /// Constructor; installs the traffic. Takes the random variable stream 3.
    /// @param network the network, which outlives this
    /// @param scenario the scenario, which tells the links
    /// @param share the share of a link's rate that it takes in each direction
    /// @param start when it begins
    FareClosBackground(const FareClosNetwork& network,
                       const FareClosScenario& scenario,
                       double share,
                       Time start);

    FareClosBackground(const FareClosBackground&) = delete;
    FareClosBackground& operator=(const FareClosBackground&) = delete;

  private:
    /// A switch that sends.
    struct Sender
    {
        Ptr<Socket> socket; //!< its socket
        Ipv4Address to;     //!< the address of the link's other end
        Time interval;      //!< between two packets
    };

    /// Have a switch send over a link and take what the other one sends.
    void Install(const FareClosNetwork& network,
                 NodeIndex from,
                 PortIndex port,
                 Time interval,
                 Time start);

    /// Send a packet, and schedule the next one. @param sender who sends
    static void Send(const Sender* sender);

    std::vector<std::unique_ptr<Sender>> m_senders; //!< of this rank
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_BACKGROUND_H
