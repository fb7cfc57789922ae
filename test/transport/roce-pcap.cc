// SPDX-License-Identifier: GPL-2.0-only

// Captures RoCEv2 of all kinds, which test/python/test_roce_pcap.py and tshark read.
//
// Usage: aidc-test-programs roce-pcap FOLDER. roce.pcap is of both directions of the link of a host
// that two others write and send to and read from, while a packet is lost, a receive request and a
// key are missing, and the switch marks packets. counters.txt has what its adapter has counted: a
// name and a number a line. int.pcap is of the same link, of a host that another one writes to by
// HPCC.

#include "roce-network.h"

#include "ns3/error-model.h"
#include "ns3/ethernet-helper.h"
#include "ns3/pointer.h"
#include "ns3/roce-helper.h"
#include "ns3/string.h"

#include <fstream>
#include <iostream>
#include <list>
#include <string>

namespace
{

void
CaptureTelemetry(const std::string& path)
{
    RoceNetwork network(MakeStar(2, 100000000000, 1000), 4202);
    network.roce.SetCongestionControl("ns3::aidc::HpccControl");
    network.path = RocePath(NanoSeconds(5000));
    network.Start();
    IntHelper::Install(network.network.GetSwitches());
    EthernetHelper().EnablePcap(path, network.GetHostPort(1), true, true);
    network.Write(0, 1, 40001);
    Simulator::Run();
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "Usage: " << argv[0] << " FOLDER" << std::endl;
        return 2;
    }
    const std::string folder = std::string(argv[1]) + "/";
    CaptureTelemetry(folder + "int.pcap");
    RoceNetwork network(3);
    const uint32_t all = SharedBufferSwitchHelper::ALL_CLASSES;
    network.switches.SetQueueDiscAttribute(all, "Mode", StringValue("StaticStep"));
    network.switches.SetQueueDiscAttribute(all, "Threshold", StringValue("20kB"));
    network.roce.SetCongestionControl("ns3::aidc::DcqcnControl");
    network.firstPsn = 0xfffff8;
    network.Start();
    EthernetHelper().EnablePcap(folder + "roce.pcap", network.GetHostPort(1), true, true);

    const auto errors = CreateObject<ReceiveListErrorModel>();
    constexpr uint32_t LOST = 20; // in the midst of a message
    errors->SetList({LOST});
    network.GetHostPort(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    for (const uint32_t host : {0, 2})
    {
        for (const auto operation :
             {RoceOperation::WRITE, RoceOperation::SEND, RoceOperation::READ})
        {
            for (const bool hasImmediate : {false, true})
            {
                for (const uint64_t nBytes : {0, 1, 4095, 4096, 20000, 100000})
                {
                    RoceWork work;
                    work.operation = operation;
                    work.nBytes = nBytes;
                    work.hasImmediate = hasImmediate && operation != RoceOperation::READ;
                    work.immediate = 0x01020304;
                    network.Post(host, 1, work);
                }
            }
        }
    }
    RoceWork read;
    read.operation = RoceOperation::READ;
    read.nBytes = 10000;
    network.Post(1, 0, read);

    // Another queue pair has a receive request for one of two messages, and then the wrong key.
    const auto [first, second] = network.Connect(0, 1);
    network.GetNic(1)->GetQueuePair(second).PostReceive(1);
    RoceWork work;
    work.operation = RoceOperation::SEND;
    work.nBytes = 100;
    network.GetNic(0)->Post(first, work);
    network.GetNic(0)->Post(first, work);
    work.operation = RoceOperation::WRITE;
    work.remoteKey = 1234;
    network.GetNic(0)->Post(first, work);
    Simulator::Schedule(MicroSeconds(500), [&network, qp = second] {
        network.GetNic(1)->GetQueuePair(qp).PostReceive(1);
    });
    Simulator::Run();

    const auto& counted = network.GetNic(1)->GetStatistics();
    std::ofstream(folder + "counters.txt")
        << "acks " << counted.sentAcks << "\nnaks " << counted.sentNaks << "\nrnrs "
        << counted.sentRnrNaks << "\ncnps " << counted.sentCnps << "\nmarks " << counted.ceReceived
        << "\nsent " << counted.sentPackets << "\nreceived " << counted.receivedPackets << '\n';
    return 0;
}
