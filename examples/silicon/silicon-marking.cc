/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "silicon-network.h"
#include "silicon-rows.h"

#include "ns3/double.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t MARKED_CLASS = 3;    //!< the class under test
constexpr uint32_t MARKED_SENDER = 0;   //!< the port that sends
constexpr uint32_t MARKED_RECEIVER = 2; //!< the port that receives
constexpr uint32_t MARKED_PORTS = 3;    //!< ports of the switch

/// Octets of a frame that a packet does not have
constexpr uint32_t FRAME_OCTETS = 18;

/// A procedure of SONiC's tests: frames wait in a queue that is blocked, and are released.
struct Procedure
{
    std::string name;   //!< of the test
    uint32_t kmin;      //!< bytes
    uint32_t kmax;      //!< bytes
    double pmax;        //!< probability at kmax
    uint32_t frames;    //!< frames
    uint32_t frame;     //!< bytes of a frame
    std::string source; //!< where it is published
};

/// The procedures
const std::vector<Procedure>&
GetProcedures()
{
    static const std::string MGMT = "sonic-net/sonic-mgmt:";
    static const std::string COMMIT = "@b4ba9de3c9";
    static const std::string DEQUEUE =
        MGMT + "tests/snappi_tests/ecn/test_dequeue_ecn_with_snappi.py" + COMMIT;
    static const std::vector<Procedure> procedures{
        {"accuracy, test",
         500000,
         900000,
         0.05,
         910,
         1024,
         MGMT + "tests/snappi_tests/ecn/test_red_accuracy_with_snappi.py" + COMMIT},
        {"accuracy, plan",
         500000,
         2000000,
         0.05,
         2010,
         1000,
         MGMT + "docs/testplan/ecn/ECN_ACCURACY_README.md" + COMMIT},
        {"dequeue, default", 50000, 51000, 1, 101, 1024, DEQUEUE},
        {"dequeue, Broadcom XGS", 40000, 168000, 1, 301, 1024, DEQUEUE},
    };
    return procedures;
}

/// Set what marks. A chip's "at Kmax or above" is "above a byte less" here.
void
SetMarking(SharedBufferSwitchHelper& switches, const Procedure& procedure, const std::string& point)
{
    const auto toSize = [](uint64_t bytes) {
        return QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(bytes)));
    };
    // Frames are counted in bytes, as the tests count them.
    switches.SetBufferAttribute("CellSize", UintegerValue(1));
    switches.SetBufferAttribute("Size", toSize(64000000));
    constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;
    switches.SetClassAttribute(ALL, "Alpha", DoubleValue(8));
    switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticRed"));
    switches.SetQueueDiscAttribute(ALL, "Kmax", toSize(procedure.kmax - 1));
    switches.SetQueueDiscAttribute(ALL, "Kmin", toSize(procedure.kmin));
    switches.SetQueueDiscAttribute(ALL, "Pmax", DoubleValue(procedure.pmax));
    switches.SetQueueDiscAttribute(ALL, "MarkingPoint", StringValue(point));
}

/// What a procedure expects: a frame that sees less than Kmin is not marked, one that sees Kmax or
/// more is, those between with a probability that rises linearly to Pmax.
struct Expected
{
    double mean{0};      //!< of the marks of a run
    double variance{0};  //!< of the same
    uint32_t certain{0}; //!< frames that are marked for certain
    uint32_t none{0};    //!< frames that are not
};

/// @return what a procedure expects; the frames see 1, 2, 3... frames, themselves included
Expected
Expect(const Procedure& procedure)
{
    Expected expected;
    for (uint32_t i = 1; i <= procedure.frames; ++i)
    {
        const double q = static_cast<double>(i) * procedure.frame;
        double p = procedure.pmax * (q - procedure.kmin) / (procedure.kmax - procedure.kmin);
        p = q >= procedure.kmax ? 1 : q <= procedure.kmin ? 0 : p;
        expected.certain += q >= procedure.kmax;
        expected.none += q <= procedure.kmin;
        expected.mean += p;
        expected.variance += p * (1 - p);
    }
    return expected;
}

/// Add the rows of a procedure.
void
Measure(const ExperimentOptions& options,
        const Procedure& procedure,
        const std::string& point,
        uint32_t runs,
        std::vector<SiliconRow>& rows)
{
    SiliconSetup setup;
    setup.ports = MARKED_PORTS;
    setup.configure = [&](auto& switches) { SetMarking(switches, procedure, point); };
    SiliconNetwork network(options, setup);
    TesterStream stream;
    stream.destination = network.GetAddress(MARKED_RECEIVER);
    stream.priority = MARKED_CLASS;
    stream.bytes = procedure.frame - FRAME_OCTETS;
    const uint32_t number = network.GetTester(MARKED_SENDER).Send(stream);
    std::vector<uint32_t> marks(procedure.frames, 0); // by place
    const Time filled = NanoSeconds(90 * procedure.frames + 20000);
    for (uint32_t run = 0; run < runs; ++run)
    {
        network.SetBlocked(MARKED_RECEIVER, MARKED_CLASS, true);
        SiliconNetwork::Run(MicroSeconds(2));
        network.GetTester(MARKED_SENDER).SetLeft(number, procedure.frames);
        SiliconNetwork::Run(filled);
        std::size_t place = 0;
        network.GetSink(MARKED_RECEIVER).Start([&](uint32_t, bool isMarked) {
            marks[place % marks.size()] += isMarked;
            ++place;
        });
        network.SetBlocked(MARKED_RECEIVER, MARKED_CLASS, false);
        SiliconNetwork::Run(filled);
    }
    const bool isDequeue = point != "Enqueue";
    const auto expected = Expect(procedure);
    double sum = 0;
    uint32_t always = 0;
    uint32_t never = 0;
    for (std::size_t i = 0; i < marks.size(); ++i)
    {
        sum += marks[i];
        // As a frame leaves, the first one sees all; as it arrives, the last one does.
        const std::size_t seen = isDequeue ? marks.size() - i : i + 1;
        always += seen > marks.size() - expected.certain && marks[i] == runs;
        never += seen <= expected.none && marks[i] == 0;
    }
    const std::string how = isDequeue ? "marked as they leave" : "marked as they arrive";
    const auto add = [&](const std::string& what, double published, double ours, double tolerance) {
        rows.push_back({procedure.name + ": " + what + ", " + how,
                        std::to_string(runs) + " runs: blocked by PFC, filled, released",
                        published,
                        ours,
                        tolerance,
                        "frame",
                        procedure.source});
    };
    // Three standard deviations of the mean over the runs.
    add("marks of a run",
        expected.mean,
        sum / runs,
        3 * std::sqrt(expected.variance / runs) + 1e-9);
    add("frames always marked", expected.certain, always, 0);
    add("frames never marked", expected.none, never, 0);
    add("first frame marked", isDequeue, marks.front() == runs, 0);
    add("last frame marked", !isDequeue, marks.back() == runs, 0);
}

/// Entry and exit: two flows at full rate meet; when one stops, the queue keeps its length and all
/// frames stay marked; at 99 % it drains, and marks end.
void
MeasureResponse(const ExperimentOptions& options, std::vector<SiliconRow>& rows)
{
    const Procedure procedure{"response", 500000, 900000, 1, 0, 1024, ""};
    SiliconSetup setup;
    setup.ports = MARKED_PORTS;
    setup.lossless = {};
    setup.configure = [&](auto& switches) { SetMarking(switches, procedure, "DequeueWith"); };
    SiliconNetwork network(options, setup);
    TesterStream stream;
    stream.destination = network.GetAddress(MARKED_RECEIVER);
    stream.bytes = procedure.frame - FRAME_OCTETS;
    stream.frames = 1000000000;
    network.GetTester(0).Send(stream);
    SiliconNetwork::Run(MicroSeconds(20));
    Time first;
    const Time begin = Simulator::Now();
    network.GetSink(MARKED_RECEIVER).Start([&first](uint32_t, bool isMarked) {
        first = isMarked && first.IsZero() ? Simulator::Now() : first;
    });
    const uint32_t second = network.GetTester(1).Send(stream);
    SiliconNetwork::Run(MicroSeconds(100));
    network.GetTester(1).SetLeft(second, 0);
    const auto getShare = [&network](Time time) {
        network.GetSink(MARKED_RECEIVER).Start();
        SiliconNetwork::Run(time);
        const auto& count = network.GetSink(MARKED_RECEIVER).GetCount(0);
        return static_cast<double>(count.marked) / static_cast<double>(count.frames);
    };
    // 100 Gb/s: Kmin of 500 kB takes 40 us at a rate of one frame more than leaves. The first marks
    // come soon after Kmin, which only chance knows: a frame's share of the band, 1/390, each.
    rows.push_back(
        {"response: from the second flow to the first mark",
         "2:1, from Kmin / rate on",
         500000 * 8 / (100e9 * 1024 / 1044) * 1e6,
         (first - begin).GetSeconds() * 1e6,
         4,
         "us",
         "sonic-net/sonic-mgmt pull 23499",
         "measured 40.758 us; rate and thresholds are not published: by Kmin / rate of 100 "
         "Gb/s and 500 kB"});
    SiliconNetwork::Run(MicroSeconds(10));
    rows.push_back({"response: share marked when one of two flows has stopped",
                    "the other one at 100 % of the line",
                    1,
                    getShare(MicroSeconds(300)),
                    0,
                    "1",
                    "sonic-net/sonic-mgmt issue 25649"});
    network.GetTester(0).SetLoad(0.99);
    SiliconNetwork::Run(MilliSeconds(12));
    rows.push_back({"response: share marked some time after",
                    "the other one at 99 % of the line",
                    0,
                    getShare(MicroSeconds(300)),
                    0,
                    "1",
                    "sonic-net/sonic-mgmt issue 25649"});
}

} // namespace

std::vector<SiliconRow>
MeasureMarking(const ExperimentOptions& options, uint32_t runs)
{
    std::vector<SiliconRow> rows;
    for (const auto& procedure : GetProcedures())
    {
        for (const std::string point : {"DequeueWith", "Enqueue"})
        {
            Measure(options, procedure, point, runs, rows);
        }
    }
    MeasureResponse(options, rows);
    return rows;
}

} // namespace ns3::aidc
