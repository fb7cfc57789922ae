/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SILICON_NETWORK_H
#define AIDC_SILICON_NETWORK_H

#include "silicon-tester.h"

#include "ns3/data-rate.h"
#include "ns3/experiment-options.h"
#include "ns3/fabric-helper.h"
#include "ns3/ingress-buffer.h"
#include "ns3/nstime.h"
#include "ns3/priority-flow-control.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-port-queue-disc.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// What a tester and a switch under test are made of.
struct SiliconSetup
{
    std::string chip;                     //!< of the switch; empty for none
    uint32_t ports{2};                    //!< ports, each with a port of the tester
    DataRate rate{"100Gbps"};             //!< of the links
    Time delay{NanoSeconds(25)};          //!< of the links: 5 m
    std::vector<uint32_t> lossless{3, 4}; //!< lossless classes
    std::vector<uint32_t> obedient;       //!< ports of the tester that obey pauses
    uint32_t headroom{0};                 //!< of an account in bytes, 0 for the chip's
    /// Says more of the switch; may be empty.
    std::function<void(SharedBufferSwitchHelper&)> configure{};
};

/**
 * @brief A switch under test: each of its ports has a port of a traffic tester, which sends frames,
 *        blocks what it gets by PFC, and counts.
 */
class SiliconNetwork
{
  public:
    /// @param options of the experiment @param setup what it is made of
    SiliconNetwork(const ExperimentOptions& options, const SiliconSetup& setup);

    /// Ends the simulation.
    ~SiliconNetwork();

    SiliconNetwork(const SiliconNetwork&) = delete;
    SiliconNetwork& operator=(const SiliconNetwork&) = delete;

    /// @return the tester's port at a port of the switch
    TesterPort& GetTester(uint32_t port) const
    {
        return *m_testers[port];
    }

    /// @return what counts the frames that a port of the switch sends
    TesterSink& GetSink(uint32_t port) const
    {
        return *m_sinks[port];
    }

    /// @return the address of a tester's port
    uint32_t GetAddress(uint32_t port) const;

    /// @return the device of a port of the switch
    Ptr<NetDevice> GetDevice(uint32_t port) const
    {
        return m_own[port];
    }

    /// @return the queues of a port of the switch
    SwitchPortQueueDisc& GetPort(uint32_t port) const
    {
        return *m_ports[port];
    }

    /// @return the queue of a class of a port of the switch
    MarkingQueue& GetQueue(uint32_t port, uint32_t priority) const
    {
        return *GetPort(port).GetClass(priority)->GetQueue();
    }

    /// @return the account of a port of the switch and a priority
    Ptr<IngressBuffer> GetAccount(uint32_t port, uint32_t priority) const;

    /// Have the tester pause a port of the switch, or let it go on.
    void SetBlocked(uint32_t port, uint32_t priority, bool isBlocked);

    /// Get the memory that a packet takes. @param bytes its bytes @return bytes
    uint64_t GetCharge(uint32_t bytes) const;

    /// Simulate for a time.
    static void Run(Time time);

  private:
    FabricHelper m_network;                           //!< the switch and the tester
    std::vector<Ptr<TesterPort>> m_testers;           //!< the tester's ports
    std::vector<Ptr<TesterSink>> m_sinks;             //!< what they count
    std::vector<Ptr<EthernetNetDevice>> m_devices;    //!< their devices
    std::vector<Ptr<PriorityFlowControl>> m_controls; //!< their flow control
    std::vector<Ptr<SwitchPortQueueDisc>> m_ports;    //!< the switch's ports
    std::vector<Ptr<NetDevice>> m_own;                //!< their devices
    Ptr<SharedBuffer> m_buffer;                       //!< its memory
};

} // namespace ns3::aidc

#endif // AIDC_SILICON_NETWORK_H
