// SPDX-License-Identifier: GPL-2.0-only

#include "test-buffers.h"
#include "test/core/catch-message.h"
#include "test/test-case.h"

// The shared buffer: accounting, traces and attributes.
AIDC_TEST_SUITE("aidc-shared-buffer", UNIT);

/// A queue as the test sees it.
struct Expected
{
    uint64_t numerator;           //!< of alpha
    uint64_t denominator;         //!< of alpha
    uint64_t reserved;            //!< bytes
    uint64_t cap;                 //!< bytes, 0 for none
    uint64_t headroom;            //!< bytes
    uint64_t used;                //!< bytes, headroom apart
    uint64_t headroomUsed;        //!< bytes in the headroom
    std::deque<uint32_t> packets; //!< the sizes of what it holds
};

/// Get what a queue has of the shared memory. Returns bytes.
uint64_t
SharedUse(const Expected& e)
{
    return e.used > e.reserved ? e.used - e.reserved : 0;
}

/// Let the first packet leave, if there is one.
void
Leave(Expected& e, Ptr<SharedBufferQueue> queue)
{
    if (e.packets.empty())
    {
        return;
    }
    const uint32_t bytes = e.packets.front();
    e.packets.pop_front();
    queue->Release(bytes);
    const uint64_t fromHeadroom = std::min<uint64_t>(bytes, e.headroomUsed);
    e.headroomUsed -= fromHeadroom;
    e.used -= bytes - fromHeadroom;
}

/// Compare occupancies with the packets that are held.
void
Compare(const std::vector<Expected>& expected,
        const std::vector<Ptr<SharedBufferQueue>>& queues,
        Ptr<SharedBuffer> buffer)
{
    uint64_t total = 0;
    for (std::size_t i = 0; i < queues.size(); ++i)
    {
        uint64_t held = 0;
        for (const auto bytes : expected[i].packets)
        {
            held += bytes;
        }
        NS_TEST_ASSERT_MSG_EQ(queues[i]->GetOccupancy(), held, "queue " << i);
        total += held;
    }
    NS_TEST_ASSERT_MSG_EQ(buffer->GetUsed(), total, "all queues");
    NS_TEST_ASSERT_MSG_LT_OR_EQ(total, buffer->GetSize(), "more than there is");
}

// The bytes admitted equal the bytes released after every mix of arrivals and departures.
//
// Expected results: computed beside the buffer, from the packets that the test holds. For queue i,
// with free = B - sum(reserved + headroom) - sum(max(0, used - reserved)):
// Buf_Thrd = min(cap, reserved + min(alpha * free, max(0, used - reserved) + free)), and an
// arrival is admitted if it fits below Buf_Thrd, or else if it fits into the headroom, which is
// given back first. alpha is kept as a fraction here, so that alpha * free is exact.
AIDC_TEST_CASE("bytes admitted are bytes released after every mix of arrivals and departures")
{
    constexpr uint64_t size = 200000;
    std::vector<Expected> expected{{1, 2, 0, 0, 0, 0, 0, {}},
                                   {1, 1, 5000, 30000, 0, 0, 0, {}},
                                   {2, 1, 0, 0, 10000, 0, 0, {}},
                                   {8, 1, 3000, 0, 4000, 0, 0, {}}};
    auto buffer = MakeBuffer(size);
    std::vector<Ptr<SharedBufferQueue>> queues;
    for (const auto& e : expected)
    {
        queues.push_back(AddQueue(buffer,
                                  static_cast<double>(e.numerator) / e.denominator,
                                  std::to_string(e.reserved) + "B",
                                  std::to_string(e.cap) + "B",
                                  std::to_string(e.headroom) + "B"));
    }
    Changes usedChanges;
    buffer->TraceConnectWithoutContext("Used", MakeBoundCallback(&Note, &usedChanges));

    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    uint32_t refused = 0;
    uint32_t inHeadroom = 0;
    for (uint32_t step = 0; step < 20000; ++step)
    {
        const auto i = random->GetInteger(0, 3);
        auto& e = expected[i];
        uint64_t free = size;
        for (const auto& o : expected)
        {
            free -= o.reserved + o.headroom;
        }
        for (const auto& o : expected)
        {
            free -= std::min(free, SharedUse(o));
        }
        const uint64_t dynamic = std::min(e.numerator * free / e.denominator, SharedUse(e) + free);
        const uint64_t limit = std::min(e.cap == 0 ? size : e.cap, e.reserved + dynamic);
        NS_TEST_ASSERT_MSG_EQ(queues[i]->GetThreshold(), limit, "step " << step);
        NS_TEST_ASSERT_MSG_EQ(buffer->GetFree(), free, "step " << step);

        // Three phases: filling, as many arrivals as departures, emptying.
        const double arrivals = step < 8000 ? 0.8 : step < 16000 ? 0.5 : 0.1;
        if (random->GetValue(0, 1) < arrivals)
        {
            const auto bytes = random->GetInteger(64, 1500);
            const auto admission = queues[i]->Admit(bytes);
            if (e.used + bytes <= limit)
            {
                AIDC_ASSERT(admission == Admission::ADMITTED, step);
                e.used += bytes;
                e.packets.push_back(bytes);
            }
            else if (e.headroomUsed + bytes <= e.headroom)
            {
                AIDC_ASSERT(admission == Admission::HEADROOM, step);
                e.headroomUsed += bytes;
                e.packets.push_back(bytes);
                ++inHeadroom;
            }
            else
            {
                AIDC_ASSERT(admission > Admission::HEADROOM, step);
                ++refused;
            }
        }
        else
        {
            Leave(e, queues[i]);
        }
        Compare(expected, queues, buffer);
    }
    NS_TEST_EXPECT_MSG_GT(refused, 100, "the mix does not reach the limits");
    NS_TEST_EXPECT_MSG_GT(inHeadroom, 100, "the mix does not reach the headroom");
    for (uint32_t i = 0; i < 4; ++i)
    {
        while (!expected[i].packets.empty())
        {
            Leave(expected[i], queues[i]);
        }
    }
    Compare(expected, queues, buffer);
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all has been given back");
    // 200000 less 5000 + 3000 reserved and 10000 + 4000 of headroom.
    NS_TEST_EXPECT_MSG_EQ(buffer->GetFree(), 178000, "all shared memory is free");

    // The trace is a chain from 0 to 0.
    uint64_t last = 0;
    for (const auto& [before, after] : usedChanges)
    {
        NS_TEST_ASSERT_MSG_EQ(before, last, "Used");
        last = after;
    }
    NS_TEST_EXPECT_MSG_EQ(last, 0, "Used");
}

// The traces tell each change once, with the values before and after.
//
// Expected results, B = 10000, alpha 1, first queue q, second queue o:
//  q + 1000: q 1000, used 1000, Buf_Thrd(q) = 10000 - 1000 = 9000
//  o + 2000: used 3000; Buf_Thrd(q) becomes 7000, which is told at q's next event
//  q + 9000: refused, nothing is told
//  q - 1000: q 0, used 2000, Buf_Thrd(q) = 10000 - 2000 = 8000
AIDC_TEST_CASE("Used, Occupancy and Threshold tell each change with its old and new value")
{
    auto buffer = MakeBuffer(10000);
    auto queue = AddQueue(buffer, 1);
    auto other = AddQueue(buffer, 1);
    Changes used;
    Changes occupancy;
    Changes threshold;
    buffer->TraceConnectWithoutContext("Used", MakeBoundCallback(&Note, &used));
    queue->TraceConnectWithoutContext("Occupancy", MakeBoundCallback(&Note, &occupancy));
    queue->TraceConnectWithoutContext("Threshold", MakeBoundCallback(&Note, &threshold));

    queue->Admit(1000);
    other->Admit(2000);
    queue->Admit(9000);
    queue->Release(1000);

    const Changes expectedUsed{{0, 1000}, {1000, 3000}, {3000, 2000}};
    const Changes expectedOccupancy{{0, 1000}, {1000, 0}};
    const Changes expectedThreshold{{10000, 9000}, {9000, 8000}};
    AIDC_EXPECT(used == expectedUsed, "Used");
    AIDC_EXPECT(occupancy == expectedOccupancy, "Occupancy");
    AIDC_EXPECT(threshold == expectedThreshold, "Threshold");
}

// Attributes that cannot be are refused and leave all as it was. Expected results: with B = 10000
// and 4000 + 1000 set aside by one queue, another can set aside 5000, not 5001; the buffer can
// shrink to 5000, not to 4999.
AIDC_TEST_CASE("limits that cannot be are refused, and nothing changes")
{
    auto buffer = MakeBuffer(10000);
    auto first = AddQueue(buffer, 1, "4000B", "0B", "1000B");
    auto queue = AddQueue(buffer, 2, "100B", "7000B", "200B");

    const auto set = [](Ptr<Object> object, const std::string& name, const std::string& value) {
        return object->SetAttributeFailSafe(name, StringValue(value));
    };
    AIDC_EXPECT(!set(buffer, "Size", "10p"), "in packets");
    AIDC_EXPECT(!set(buffer, "Size", "0B"), "no memory");
    AIDC_EXPECT(!set(buffer, "Size", "5299B"), "less than is set aside");
    AIDC_EXPECT(!set(buffer, "PollInterval", "-1us"), "negative");
    using Limits = std::numeric_limits<double>;
    for (const double alpha :
         {0.0, -1.0, Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 65537.0, 1e-5})
    {
        AIDC_EXPECT(!queue->SetAttributeFailSafe("Alpha", DoubleValue(alpha)), "alpha " << alpha);
    }
    for (const auto* name : {"Reserved", "Cap", "Headroom"})
    {
        AIDC_EXPECT(!set(queue, name, "1p"), name << " in packets");
    }
    AIDC_EXPECT(!set(queue, "Reserved", "4801B"), "4801 + 200 > 5000");
    AIDC_EXPECT(!set(queue, "Headroom", "4901B"), "100 + 4901 > 5000");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetSize(), 10000, "Size");
    NS_TEST_EXPECT_MSG_EQ(queue->GetLimits().alpha, 2, "Alpha");
    NS_TEST_EXPECT_MSG_EQ(queue->GetLimits().reserved, 100, "Reserved");
    NS_TEST_EXPECT_MSG_EQ(queue->GetLimits().cap, 7000, "Cap");
    NS_TEST_EXPECT_MSG_EQ(queue->GetLimits().headroom, 200, "Headroom");
    // 10000 - 5000 - 300 shared
    NS_TEST_EXPECT_MSG_EQ(buffer->GetFree(), 4700, "shared memory");

    AIDC_EXPECT(set(queue, "Reserved", "4800B"), "4800 + 200 = 5000");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetFree(), 0, "all is set aside");
    AIDC_EXPECT(set(queue, "Reserved", "0B"), "none");
    AIDC_EXPECT(!set(buffer, "Size", "5199B"), "5000 + 200 are set aside");
    AIDC_EXPECT(set(buffer, "Size", "5200B"), "5000 + 200 are set aside");
    AIDC_EXPECT(set(queue, "Alpha", "65536"), "the largest alpha");
}

// A queue whose reserved bytes do not fit cannot be added.
AIDC_TEST_CASE("a queue that reserves more than there is is refused with the reason")
{
    const auto tooMuch = CatchMessage([] { AddQueue(MakeBuffer(10000), 1, "10001B"); });
    NS_TEST_EXPECT_MSG_NE(tooMuch.find("10001 bytes reserved"), std::string::npos, tooMuch);
    const auto fits = RunInChild([] { AddQueue(MakeBuffer(10000), 1, "10000B"); });
    AIDC_EXPECT(!fits.died, fits.errors);
    ExpectRefusal("belongs to a shared buffer already", [] {
        auto queue = AddQueue(MakeBuffer(10000), 1);
        MakeBuffer(10000)->AddQueue(queue);
    });
}

// Expected results: 6000 of 10000 bytes used, size then 5000: nothing is free; after 2000 have left
// 5000 - 4000 = 1000 are free.
AIDC_TEST_CASE("a buffer made smaller than its use admits nothing until that has left")
{
    auto buffer = MakeBuffer(10000);
    auto queue = AddQueue(buffer, 8);
    queue->Admit(6000);
    buffer->SetAttribute("Size", StringValue("5000B"));
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 6000, "stays");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetFree(), 0, "none");
    AIDC_EXPECT(queue->Admit(1) == Admission::BUFFER_EXHAUSTED, "full");
    queue->Release(2000);
    NS_TEST_EXPECT_MSG_EQ(buffer->GetFree(), 1000, "5000 - 4000");
    AIDC_EXPECT(queue->Admit(1000) == Admission::ADMITTED, "room again");
    queue->Release(5000);
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
}
