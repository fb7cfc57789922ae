// SPDX-License-Identifier: GPL-2.0-only

#include "silicon-network.h"
#include "silicon-rows.h"

#include "ns3/experiment-switch-options.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/switch-chip.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t MTU_PACKET = 1500; //!< bytes of a packet, in a frame of 1518
constexpr uint32_t CLASSES = 8;       //!< of each port
constexpr uint32_t BUSY_SENDER = 0;   //!< the port that sends

/// The loop of a data center, of which Offset and ECN_Floor of coupled ECN are derived
const Time LOOP_RTT = MicroSeconds(8);

/// What busy queues have come to when the first frame is lost.
struct Busy
{
    uint64_t longest{0}; //!< of the queues, in bytes
    uint32_t marking{0}; //!< queues that have marked
};

/// Fill queues evenly until a frame is lost. kmax: from there on all is marked; 0 for coupled ECN.
Busy
Fill(const ExperimentOptions& options, const std::string& chip, uint32_t queues, uint32_t kmax)
{
    const uint32_t ports = (queues + CLASSES - 1) / CLASSES;
    SiliconSetup setup;
    setup.chip = chip;
    setup.ports = ports + 1;
    setup.lossless = {};
    setup.configure = [kmax](SharedBufferSwitchHelper& switches) {
        constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;
        // All ports in one part of the memory
        switches.SetBufferAttribute("PortsPerPartition", UintegerValue(4096));
        switches.SetQueueDiscAttribute(ALL, "MarkingPoint", StringValue("Enqueue"));
        switches.SetRtt(LOOP_RTT);
        if (kmax > 0)
        {
            switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
            switches.SetQueueDiscAttribute(ALL, "Threshold", MakeSize(kmax));
        }
    };
    SiliconNetwork network(options, setup);
    bool isLost = false;
    Busy busy;
    const auto count = [&] {
        for (uint32_t i = 0; i < queues && !isLost; ++i)
        {
            const auto& queue = network.GetQueue(1 + i / CLASSES, i % CLASSES);
            busy.longest = std::max(busy.longest, queue.GetOccupancy());
            busy.marking += queue.GetQueueStatistics().markedPackets > 0;
        }
        isLost = true;
    };
    for (uint32_t i = 0; i < queues; ++i)
    {
        network.SetBlocked(1 + i / CLASSES, i % CLASSES, true);
        network.GetQueue(1 + i / CLASSES, i % CLASSES)
            .TraceConnectWithoutContext(
                "Drop",
                DropListener([&count](Ptr<const QueueDiscItem>, const char*) { count(); }));
    }
    SiliconNetwork::Run(MicroSeconds(20));
    for (uint32_t i = 0; i < queues; ++i)
    {
        network.Send(BUSY_SENDER, 1 + i / CLASSES, {i % CLASSES, MTU_PACKET, 1000000000});
    }
    while (!isLost && Simulator::Now() < MilliSeconds(100))
    {
        SiliconNetwork::Run(MicroSeconds(1)); // 8 frames
    }
    return busy;
}

/// @return the least number of busy queues that are lost before they reach Kmax, by the law
uint32_t
CountByLaw(const SwitchChipProfile& profile, uint32_t kmax)
{
    const auto shared =
        static_cast<double>(profile.lossyShared > 0 ? profile.lossyShared : profile.shared);
    const double alpha = profile.queueAlpha;
    const auto memory = static_cast<double>(profile.shared);
    // Buf_Thrd of queues of one length: reserved + alpha B / (1 + n alpha), where there is so much
    const auto getThreshold = [&](uint32_t queues) {
        const double port = profile.portAlpha > 0 ? profile.portAlpha : 1;
        const double ownPort = profile.portAlpha > 0 ? alpha * std::min(queues, CLASSES) : 0;
        const double dynamic = port * alpha * shared / (1 + ownPort + queues * port * alpha);
        return profile.queueReserved + std::min(dynamic, memory / queues);
    };
    uint32_t queues = 1;
    while (getThreshold(queues) >= kmax)
    {
        ++queues;
    }
    return queues;
}

} // namespace

std::vector<SiliconRow>
MeasureBusyQueues(const ExperimentOptions& options,
                  const std::string& name,
                  const std::vector<uint32_t>& kmaxs)
{
    const auto chip = SwitchChip::Find(name);
    const auto& profile = chip->GetProfile();
    std::vector<SiliconRow> rows;
    for (const uint32_t kmax : kmaxs)
    {
        const uint32_t law = CountByLaw(profile, kmax);
        const auto text = std::to_string(kmax / 1000) + " kB";
        if (law == 1)
        {
            continue; // one queue alone does not reach it
        }
        // Frames are whole: the queues are a frame apart.
        uint32_t found = law;
        while (found > 1 && Fill(options, name, found - 1, kmax).marking == 0)
        {
            --found;
        }
        while (Fill(options, name, found, kmax).marking > 0)
        {
            ++found;
        }
        rows.push_back({"busy queues from which Kmax of " + text + " exceeds Buf_Thrd",
                        "queues filled evenly until a frame is lost; by the law, by simulation",
                        static_cast<double>(law),
                        static_cast<double>(found),
                        std::ceil(0.02 * law),
                        "queue",
                        profile.source});
        const auto coupled = Fill(options, name, found, 0);
        const std::string how =
            "the same with coupled ECN, Offset and ECN_Floor of 100 Gb/s and 8 us";
        const std::string source = "draft Dynamic ECN Threshold, section 5.3";
        rows.push_back({"there, a mark comes before the first loss with coupled ECN, " + text,
                        how,
                        1,
                        coupled.marking > 0 ? 1.0 : 0.0,
                        0,
                        "1",
                        source});
        rows.push_back(
            {"there, queues that have marked before the first loss, " + text,
             how,
             static_cast<double>(found),
             static_cast<double>(coupled.marking),
             -1,
             "queue",
             source,
             "queues that grow together share the Offset: of Offset, a queue has the part "
             "1 / (1 + n alpha) between its first mark and its loss"});
    }
    return rows;
}

} // namespace ns3::aidc
