// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANDOM_PARALLEL_NETWORK_H
#define AIDC_RANDOM_PARALLEL_NETWORK_H

#include "test/test-case.h"

#include "ns3/csig-udp-flow-helper.h"
#include "ns3/flow-records.h"
#include "ns3/flow-spec-file.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/tcp-flow-helper.h"

namespace aidctest
{

/// A random network, of which all is drawn from a seed: topology, delays, speeds, partition,
/// failures of links, and loads by UDP, TCP or RoCEv2, lossless or not. Each process draws the same
/// numbers. The partition depends on the number of processes, and is drawn from numbers of its own.
class RandomParallelNetwork
{
  public:
    explicit RandomParallelNetwork(uint32_t seed);
    ~RandomParallelNetwork();

    RandomParallelNetwork(const RandomParallelNetwork&) = delete;
    RandomParallelNetwork& operator=(const RandomParallelNetwork&) = delete;

    /// Simulate it; every process calls it. Returns what it is, the records of flows, and what each
    /// port has received and when; the same in each process, and for any number of processes.
    std::string Simulate();

  private:
    /// What carries the load.
    enum class Load
    {
        UDP,
        TCP,
        ROCE,
        LOSSLESS_ROCE
    };

    /// What a port has received.
    struct Port
    {
        uint32_t node{0};                       //!< the node
        uint32_t port{0};                       //!< the port
        uint64_t n{0};                          //!< frames
        uint64_t digest{14695981039346656037U}; //!< of their times and bytes, FNV-1a
    };

    uint32_t Draw(uint32_t least, uint32_t most);

    FabricPlan MakeRandomLeafSpine();

    FabricPlan MakeRandomClos();

    FabricPlan MakePlan();

    /// Make the network, its load and its failures.
    void Build();

    void MakeFlows(const FabricPlan& plan);

    void ScheduleFailures();

    void WatchPorts();

    static void NoteFrame(Port* port, Ptr<const Packet> frame);

    std::vector<FlowRecord> GatherRecords();

    std::string WritePorts() const;

    uint32_t m_seed;                            //!< the seed
    std::mt19937 m_random;                      //!< draws numbers
    Load m_load{Load::UDP};                     //!< what carries the load
    std::string m_text;                         //!< what has become of it
    std::vector<FlowSpec> m_flows;              //!< the flows
    std::unique_ptr<FabricHelper> m_network;    //!< the network
    std::vector<std::unique_ptr<Port>> m_ports; //!< the ports of this process
    CsigUdpFlowHelper m_udp;                    //!< flows by UDP
    TcpFlowHelper m_tcp;                        //!< flows by TCP
    RoceFlowHelper m_roce;                      //!< flows by RoCEv2
};

} // namespace aidctest

#endif // AIDC_RANDOM_PARALLEL_NETWORK_H
