// SPDX-License-Identifier: GPL-2.0-only

#include "test/simulator/simulator-scripts.h"
#include "test/test-case.h"

#include "ns3/ethernet-helper.h"
#include "ns3/output-stream-wrapper.h"

// Traces of several nodes to one stream.
AIDC_TEST_SUITE("aidc-ordered-trace-stream", UNIT);

struct Order
{
    Simulation simulation; //!< which simulator
    std::string name;
};

// What nodes write, in which order. Links of 1 us, so that nodes run one after the other for 1 us
// at a time. Rows are by hand: by time, then by node, then as the node has written them.
AIDC_TEST_CASES(Order,
                given,
                "OrderedTraceStream: rows of several nodes by " + given.name,
                ({{Simulation::DEFAULT, "ns-3's default simulator"},
                  {Simulation::WINDOWS, "time windows"}}))
{
    const auto text = RunWith(given.simulation, [this](std::ostream& log) {
        std::ostringstream rows;
        MakeRow(3, MicroSeconds(1));
        const auto stream = Create<OrderedTraceStream>(Create<OutputStreamWrapper>(&rows));
        const auto write = [&](uint32_t node, uint64_t time, const std::string& row) {
            Simulator::ScheduleWithContext(node, NanoSeconds(time), [=] {
                stream->Add(node, std::to_string(time) + row + ' ');
            });
        };
        for (const uint32_t node : {2, 0, 1})
        {
            const auto name = std::to_string(node);
            write(node, 100, "-" + name + "a"); // all at once, and twice
            write(node, 100, "-" + name + "b");
            write(node, 900 - 100 * node, "-" + name); // the last node first
            write(node, 1000 + 3 * node, "-" + name);  // the next window
        }
        write(0, 5000, "-0"); // long after that, also the last row of a window that is empty
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(rows.str().find("5000"),
                              std::string::npos,
                              "a row of the same instant may come");
        const auto written = rows.str().size();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(rows.str().substr(written), "5000-0 ", "the last one");
        // Another simulation, which begins at 0 again
        stream->Add(7, "again");
        Simulator::Destroy();
        log << rows.str();
    });
    NS_TEST_EXPECT_MSG_EQ(text,
                          "100-0a 100-0b 100-1a 100-1b 100-2a 100-2b 700-2 800-1 900-0 "
                          "1000-0 1003-1 1006-2 5000-0 again",
                          "rows");
}
