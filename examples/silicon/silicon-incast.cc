// SPDX-License-Identifier: GPL-2.0-only

#include "silicon-network.h"
#include "silicon-rows.h"

#include "ns3/experiment-switch-options.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

namespace
{

const DataRate LINE_RATE("400Gbps");

/// Bytes of RoCEv2's packet with 4096 bytes of payload, in a frame of 4158.
constexpr uint32_t ROCE_PACKET = 4140;

/// Bytes that the last packet of a message has more.
constexpr uint32_t LAST_MORE = 4;

/// More frames than any run sends
constexpr uint64_t FOR_EVER = 1000000000000;

/// A flow of the incast, with what was measured of it.
struct IncastFlow
{
    const char* name; //!< in the source
    uint32_t sender;  //!< port
    uint32_t queue;   //!< class
    uint32_t message; //!< frames of a message
    bool isLossless;  //!< whether its class is
    double share;     //!< of the receiver's line
    double latencyUs; //!< on average
    double longestUs; //!< at most
};

/// The flows.
const std::vector<IncastFlow> FLOWS{
    {"flow 1", 0, 3, 32, true, 0.4, 628.721, 759.460},
    {"flow 2", 1, 4, 1, true, 0.2, 1260.756, 1803.240},
    {"flow 3", 2, 0, 32, false, 0.2, 1257.219, 1266.080},
    {"flow 4", 2, 1, 32, false, 0.2, 1257.202, 1268.720},
};

constexpr uint32_t INCAST_RECEIVER = 3; //!< the port that receives
constexpr uint32_t INCAST_PORTS = 4;    //!< ports of the switch

/// Where the measurements are published.
const std::string INCAST_SOURCE = "sonic-net/sonic-mgmt pull 25347 (q3q4_mixed)";

/// Have a switch never mark.
void
SwitchMarksOff(SharedBufferSwitchHelper& switches)
{
    constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;
    constexpr uint32_t MOST = std::numeric_limits<uint32_t>::max();
    switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
    switches.SetQueueDiscAttribute(ALL, "Threshold", MakeSize(MOST));
}

/// Add the rows of a flow.
void
AddFlow(const IncastFlow& flow,
        const TesterCount& count,
        uint64_t all,
        std::vector<SiliconRow>& rows)
{
    const auto add = [&](const std::string& what,
                         const std::string& unit,
                         double published,
                         double ours,
                         double tolerance,
                         const std::string& note = "") {
        rows.push_back({std::string("incast, ") + flow.name + ": " + what,
                        "3 senders at 400 Gb/s to one port, DWRR, no marks",
                        published,
                        ours,
                        tolerance,
                        unit,
                        INCAST_SOURCE,
                        note});
    };
    const auto frames = static_cast<double>(count.frames);
    const double mean = count.latency / frames * 1e6;
    const double longest = count.latencyMax.GetSeconds() * 1e6;
    const std::string note = "of 64 s at the chip";
    const std::string pauses = ", where the tester's pauses may last longer";
    add("share of queue " + std::to_string(flow.queue),
        "1",
        flow.share,
        frames / static_cast<double>(all),
        0.005 * flow.share);
    add("average latency", "us", flow.latencyUs, mean, 0.01 * flow.latencyUs);
    add("longest latency",
        "us",
        flow.longestUs,
        longest,
        -1,
        note + (flow.isLossless ? pauses : ""));
    add("frames marked", "frame", 0, static_cast<double>(count.marked), 0);
}

} // namespace

std::vector<SiliconRow>
MeasureIncast(const ExperimentOptions& options, const std::string& chip, Time time)
{
    SiliconSetup setup;
    setup.chip = chip;
    setup.ports = INCAST_PORTS;
    setup.rate = LINE_RATE;
    setup.obedient = {0, 1, 2};
    setup.configure = &SwitchMarksOff;
    SiliconNetwork network(options, setup);
    uint64_t lost = 0;
    uint64_t lossless = 0;
    network.GetPort(INCAST_RECEIVER)
        .TraceConnectWithoutContext(
            "DropBeforeEnqueue",
            DropListener([&](Ptr<const QueueDiscItem> item, const char*) {
                uint8_t tos = 0;
                item->GetUint8Value(QueueItem::IP_DSFIELD, tos);
                const uint32_t queue = tos >> 5;
                ++lost;
                lossless += std::any_of(FLOWS.begin(), FLOWS.end(), [queue](const auto& flow) {
                    return flow.queue == queue && flow.isLossless;
                });
            }));
    for (const auto& flow : FLOWS)
    {
        network.Send(flow.sender,
                     INCAST_RECEIVER,
                     {flow.queue, ROCE_PACKET, FOR_EVER, 0, flow.message, LAST_MORE});
    }
    // Four accounts of 12.5 MB fill in less than 2 ms, and the last frame that came before leaves
    // as long after.
    SiliconNetwork::Run(MilliSeconds(4));
    network.GetSink(INCAST_RECEIVER).Start();
    const uint64_t before = lost;
    SiliconNetwork::Run(time);
    std::vector<SiliconRow> rows;
    uint64_t all = 0;
    for (const auto& flow : FLOWS)
    {
        all += network.GetSink(INCAST_RECEIVER).GetCount(flow.queue).frames;
    }
    for (const auto& flow : FLOWS)
    {
        AddFlow(flow, network.GetSink(INCAST_RECEIVER).GetCount(flow.queue), all, rows);
    }
    const std::string how = "as above";
    rows.push_back({"incast: frames lost of lossless classes",
                    how,
                    0,
                    static_cast<double>(lossless),
                    0,
                    "frame",
                    INCAST_SOURCE});
    // The lossy flows' sender offers its line, and 40 % of a line is served: the chip lost 230.67
    // of 384.47 million frames of each.
    const double offered = static_cast<double>(lost - before) +
                           network.GetSink(INCAST_RECEIVER).GetCount(0).frames +
                           network.GetSink(INCAST_RECEIVER).GetCount(1).frames;
    rows.push_back({"incast: share of lossy frames that is lost",
                    how,
                    230671641.0 / 384473319.0,
                    static_cast<double>(lost - before) / offered,
                    0.005,
                    "1",
                    INCAST_SOURCE});
    return rows;
}

std::vector<SiliconRow>
MeasureLineRate(const ExperimentOptions& options, const std::string& chip, Time time)
{
    // Two ports send each other messages of 1 MiB in packets of 8192 bytes of payload, and a frame
    // of 66 bytes in answer to each 32 of them.
    constexpr uint32_t DATA = 8254 - 18;
    constexpr uint32_t ANSWER = 66 - 18;
    constexpr uint32_t INTERVAL = 32;
    constexpr uint32_t QUEUE = 4;
    constexpr uint32_t ANSWERS = 5;
    SiliconSetup setup;
    setup.chip = chip;
    setup.ports = 2;
    setup.rate = LINE_RATE;
    setup.configure = [](SharedBufferSwitchHelper& switches) {
        SwitchMarksOff(switches);
        // Answers go as they come.
        switches.SetClassAttribute(ANSWERS, "Quantum", UintegerValue(0));
    };
    SiliconNetwork network(options, setup);
    std::vector<uint32_t> answers(2);
    std::vector<uint64_t> received(2, 0);
    for (uint32_t port = 0; port < 2; ++port)
    {
        network.Send(port, 1 - port, {QUEUE, DATA, FOR_EVER});
        answers[port] = network.Send(port, 1 - port, {ANSWERS, ANSWER, 0});
        network.GetSink(port).Start([&, port](uint32_t priority, bool) {
            if (priority == QUEUE && ++received[port] % INTERVAL == 0)
            {
                auto& tester = network.GetTester(port);
                tester.SetLeft(answers[port], tester.GetLeft(answers[port]) + 1);
            }
        });
    }
    SiliconNetwork::Run(MicroSeconds(100));
    const uint64_t before = received[0];
    SiliconNetwork::Run(time);
    const double rate =
        static_cast<double>(received[0] - before) * (DATA + 18) * 8 / time.GetSeconds() / 1e9;
    return {{"line rate, idle",
             "two ports in both directions, an answer to each 32 frames",
             398.905,
             rate,
             0.0001 * 398.905,
             "Gb/s",
             "sonic-net/sonic-mgmt pull 23240"}};
}

} // namespace ns3::aidc
