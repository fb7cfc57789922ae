// SPDX-License-Identifier: GPL-2.0-only

#include "silicon-network.h"
#include "silicon-rows.h"

#include "ns3/double.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// What an attribute of all classes is set for
constexpr auto ALL_CLASSES = SharedBufferSwitchHelper::ALL_CLASSES;

/// Give a switch memory that no test fills.
void
SetMemory(SharedBufferSwitchHelper& switches)
{
    switches.SetBufferAttribute("Size", MakeSize(64000000));
    switches.SetClassAttribute(ALL_CLASSES, "Alpha", DoubleValue(8));
}

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
    // Frames are counted in bytes, as the tests count them.
    switches.SetBufferAttribute("CellSize", UintegerValue(1));
    SetMemory(switches);
    switches.SetQueueDiscAttribute(ALL_CLASSES, "Mode", StringValue("StaticRed"));
    switches.SetQueueDiscAttribute(ALL_CLASSES, "Kmax", MakeSize(procedure.kmax - 1));
    switches.SetQueueDiscAttribute(ALL_CLASSES, "Kmin", MakeSize(procedure.kmin));
    switches.SetQueueDiscAttribute(ALL_CLASSES, "Pmax", DoubleValue(procedure.pmax));
    switches.SetQueueDiscAttribute(ALL_CLASSES, "MarkingPoint", StringValue(point));
}

/// What a procedure expects: a frame that sees less than Kmin is not marked, one that sees Kmax or
/// more is, and frames between are with a probability that rises linearly to Pmax.
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
    const TesterStream stream{MARKED_CLASS, procedure.frame - FRAME_OCTETS};
    const uint32_t number = network.Send(MARKED_SENDER, MARKED_RECEIVER, stream);
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
    const TesterStream stream{0, procedure.frame - FRAME_OCTETS, 1000000000};
    network.Send(0, MARKED_RECEIVER, stream);
    SiliconNetwork::Run(MicroSeconds(20));
    Time first;
    const Time begin = Simulator::Now();
    network.GetSink(MARKED_RECEIVER).Start([&first](uint32_t, bool isMarked) {
        first = isMarked && first.IsZero() ? Simulator::Now() : first;
    });
    const uint32_t second = network.Send(1, MARKED_RECEIVER, stream);
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
    const auto addShare = [&](const std::string& what, const std::string& how, double share) {
        const double ours = getShare(MicroSeconds(300));
        rows.push_back({"response: share marked " + what,
                        "the other one at " + how + " % of the line",
                        share,
                        ours,
                        0,
                        "1",
                        "sonic-net/sonic-mgmt issue 25649"});
    };
    SiliconNetwork::Run(MicroSeconds(10));
    addShare("when one of two flows has stopped", "100", 1);
    network.GetTester(0).SetLoad(0.99);
    SiliconNetwork::Run(MilliSeconds(12));
    addShare("some time after", "99", 0);
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

// What the Linux kernel's tests expect

namespace
{

/// Bytes of a packet in the tests of marks, with its headers
constexpr uint32_t RED_PACKET = 8000;

/// Bytes of a packet in the tests of scheduling
constexpr uint32_t ETS_PACKET = 1000;

/// More frames than any run sends
constexpr uint64_t NO_END = 1000000000;

/// The class whose marks are counted
constexpr uint32_t RED_CLASS = 3;

/// Where the kernel tests marks
const std::string RED_SOURCE =
    "torvalds/linux:tools/testing/selftests/drivers/net/mlxsw/sch_red_core.sh@02aabe00b2";

/// Where it tests scheduling
const std::string ETS_SOURCE =
    "torvalds/linux:tools/testing/selftests/net/forwarding/sch_ets_tests.sh@28f2aff1ca";

/// Give a switch memory that no test fills, and a threshold from which on all frames are marked.
void
SetThreshold(SharedBufferSwitchHelper& switches, uint32_t threshold)
{
    SetMemory(switches);
    switches.SetQueueDiscAttribute(ALL_CLASSES, "Mode", StringValue("StaticStep"));
    switches.SetQueueDiscAttribute(ALL_CLASSES, "Threshold", MakeSize(threshold));
}

/// Keep a backlog: as many frames come as leave. @return what is received, and how many came
std::pair<TesterCount, double>
KeepBacklog(const ExperimentOptions& options, uint32_t limit, double backlog, uint8_t ecn)
{
    SiliconSetup setup;
    setup.configure = [limit](auto& switches) { SetThreshold(switches, limit); };
    SiliconNetwork network(options, setup);
    network.SetBlocked(1, RED_CLASS, true);
    SiliconNetwork::Run(MicroSeconds(2));
    const auto frames = static_cast<uint64_t>(backlog / RED_PACKET);
    const uint32_t number = network.Send(0, 1, {RED_CLASS, RED_PACKET, frames, ecn});
    SiliconNetwork::Run(MicroSeconds(100));
    network.SetBlocked(1, RED_CLASS, false);
    network.GetTester(0).SetLeft(number, NO_END);
    SiliconNetwork::Run(MicroSeconds(50));
    network.GetSink(1).Start();
    const uint64_t before = network.GetTester(0).GetLeft(number);
    SiliconNetwork::Run(MilliSeconds(1));
    const uint64_t nSent = before - network.GetTester(0).GetLeft(number);
    return {network.GetSink(1).GetCount(RED_CLASS), static_cast<double>(nSent)};
}

/// Add the rows of marks: none at two thirds of the limit, nearly all at one and a half.
void
MeasureRed(const ExperimentOptions& options, uint32_t limit, std::vector<SiliconRow>& rows)
{
    const std::string how = "100 Gb/s, packets of 8 kB, a backlog that is kept";
    const auto add = [&](const std::string& what,
                         const std::string& more,
                         double published,
                         double ours,
                         double tolerance,
                         const std::string& note = "") {
        rows.push_back({"RED of " + std::to_string(limit / 1000) + " kB: " + what,
                        how + more,
                        published,
                        ours,
                        tolerance,
                        "1",
                        RED_SOURCE,
                        note});
    };
    const auto getMarked = [&](double share) {
        const auto count = KeepBacklog(options, limit, share * limit, 2).first;
        return static_cast<double>(count.marked) / static_cast<double>(count.frames);
    };
    add("share marked at 2/3 of the limit", "", 0, getMarked(2.0 / 3), 0);
    add("share marked at 3/2 of the limit", "", 1, getMarked(3.0 / 2), 0.05, "at least 0.95");
    const auto [count, nSent] = KeepBacklog(options, limit, 1.5 * limit, 0);
    add("share of frames without ECT that is admitted above the limit",
        ", with nodrop",
        1,
        static_cast<double>(count.frames) / nSent,
        0.01,
        "without nodrop they are dropped, which is not modeled");
}

/// A set of bands.
struct Bands
{
    std::string name;              //!< of the test
    bool hasStrict;                //!< whether one of strict priority comes before
    std::vector<uint32_t> quantum; //!< of the others, in bytes
};

/// Add the rows of scheduling: all bands have more than the line takes.
void
MeasureEts(const ExperimentOptions& options, const Bands& bands, std::vector<SiliconRow>& rows)
{
    const auto n = static_cast<uint32_t>(bands.quantum.size());
    const uint32_t strict = n; // its class and its sender
    SiliconSetup setup;
    setup.ports = n + 2;
    setup.lossless = {};
    setup.configure = [&](auto& switches) {
        SetThreshold(switches, 64000000);
        for (uint32_t i = 0; i < n; ++i)
        {
            switches.SetClassAttribute(i, "Quantum", UintegerValue(bands.quantum[i]));
        }
        switches.SetClassAttribute(strict, "Quantum", UintegerValue(0));
    };
    SiliconNetwork network(options, setup);
    const uint32_t receiver = n + 1;
    const auto send = [&](uint32_t band) {
        network.Send(band, receiver, {band, ETS_PACKET, NO_END});
    };
    for (uint32_t i = 0; i < n; ++i)
    {
        send(i);
    }
    const auto count = [&network, receiver]() -> const TesterSink& {
        SiliconNetwork::Run(MicroSeconds(50));
        network.GetSink(receiver).Start();
        SiliconNetwork::Run(MilliSeconds(1));
        return network.GetSink(receiver);
    };
    const auto& sink = count();
    for (uint32_t i = 0; i + 1 < n; ++i)
    {
        const double expected = static_cast<double>(bands.quantum[i]) / bands.quantum[i + 1];
        rows.push_back({"ETS, " + bands.name + ": bytes of band " + std::to_string(i) +
                            " over those of band " + std::to_string(i + 1),
                        "100 Gb/s, all bands have more",
                        expected,
                        static_cast<double>(sink.GetCount(i).bytes) /
                            static_cast<double>(sink.GetCount(i + 1).bytes),
                        0.15 * expected,
                        "1",
                        ETS_SOURCE});
    }
    if (bands.hasStrict)
    {
        send(strict);
        const auto& all = count();
        double sum = static_cast<double>(all.GetCount(strict).bytes);
        for (uint32_t i = 0; i < n; ++i)
        {
            sum += static_cast<double>(all.GetCount(i).bytes);
        }
        rows.push_back({"ETS, " + bands.name + ": share of the strict band",
                        "100 Gb/s, all bands have more",
                        1,
                        static_cast<double>(all.GetCount(strict).bytes) / sum,
                        0.05,
                        "1",
                        ETS_SOURCE,
                        "at least 0.95"});
    }
}

} // namespace

std::vector<SiliconRow>
MeasureKernelTests(const ExperimentOptions& options)
{
    std::vector<SiliconRow> rows;
    for (const uint32_t limit : {200000, 500000})
    {
        MeasureRed(options, limit, rows);
    }
    for (const Bands& bands : {Bands{"uniform", false, {3300, 3300, 3300}},
                               Bands{"varying", false, {5000, 3500, 1500}},
                               Bands{"changed", false, {5000, 8000, 1500}},
                               Bands{"two", false, {5000, 2500}},
                               Bands{"mixed", true, {5000, 2500, 1500}}})
    {
        MeasureEts(options, bands, rows);
    }
    return rows;
}

} // namespace ns3::aidc
