/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "silicon-network.h"
#include "silicon-rows.h"

#include "ns3/double.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::aidc
{

namespace
{

/// What an attribute of all classes is set for
constexpr auto ALL_CLASSES = SharedBufferSwitchHelper::ALL_CLASSES;

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
    const auto toSize = [](uint32_t bytes) {
        return QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, bytes));
    };
    switches.SetBufferAttribute("Size", toSize(64000000));
    switches.SetClassAttribute(ALL_CLASSES, "Alpha", DoubleValue(8));
    switches.SetQueueDiscAttribute(ALL_CLASSES, "Mode", StringValue("StaticStep"));
    switches.SetQueueDiscAttribute(ALL_CLASSES, "Threshold", toSize(threshold));
}

/// A backlog is built while the port is blocked, and kept: as many frames come as leave. @return
/// what is received in the meantime, and how many frames came
std::pair<TesterCount, double>
KeepBacklog(const ExperimentOptions& options, uint32_t limit, double backlog, uint8_t ecn)
{
    SiliconSetup setup;
    setup.configure = [limit](auto& switches) { SetThreshold(switches, limit); };
    SiliconNetwork network(options, setup);
    network.SetBlocked(1, RED_CLASS, true);
    SiliconNetwork::Run(MicroSeconds(2));
    TesterStream stream;
    stream.destination = network.GetAddress(1);
    stream.priority = RED_CLASS;
    stream.bytes = RED_PACKET;
    stream.ecn = ecn;
    stream.frames = static_cast<uint64_t>(backlog / RED_PACKET);
    const uint32_t number = network.GetTester(0).Send(stream);
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
    const std::string name = "RED of " + std::to_string(limit / 1000) + " kB: ";
    const std::string how = "100 Gb/s, packets of 8 kB, a backlog that is kept";
    const auto getMarked = [&](double share) {
        const auto count = KeepBacklog(options, limit, share * limit, 2).first;
        return static_cast<double>(count.marked) / static_cast<double>(count.frames);
    };
    rows.push_back({name + "share marked at 2/3 of the limit",
                    how,
                    0,
                    getMarked(2.0 / 3),
                    0,
                    "1",
                    RED_SOURCE});
    rows.push_back({name + "share marked at 3/2 of the limit",
                    how,
                    1,
                    getMarked(3.0 / 2),
                    0.05,
                    "1",
                    RED_SOURCE,
                    "at least 0.95"});
    const auto [count, nSent] = KeepBacklog(options, limit, 1.5 * limit, 0);
    rows.push_back({name + "share of frames without ECT that is admitted above the limit",
                    how + ", with nodrop",
                    1,
                    static_cast<double>(count.frames) / nSent,
                    0.01,
                    "1",
                    RED_SOURCE,
                    "without nodrop they are dropped, which is not modeled"});
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
        TesterStream stream;
        stream.destination = network.GetAddress(receiver);
        stream.priority = band;
        stream.bytes = ETS_PACKET;
        stream.frames = NO_END;
        network.GetTester(band).Send(stream);
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
