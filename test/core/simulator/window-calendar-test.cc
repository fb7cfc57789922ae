// SPDX-License-Identifier: GPL-2.0-only

// Items that wait for their windows, against std::map of vectors.

#include "model/core/simulator/window-calendar.h"
#include "test/core/core-test.h"

using Calendar = WindowCalendar<uint32_t>;
using Reference = std::map<uint64_t, std::vector<uint32_t>>;

/// Takes the first window of both, which have one.
void
TakeFirst(Calendar& calendar, Reference& reference, std::vector<uint32_t>& items)
{
    ASSERT_FALSE(calendar.IsEmpty());
    const uint64_t window = calendar.GetFirst();
    ASSERT_EQ(window, reference.begin()->first);
    calendar.Take(window, items);
    EXPECT_EQ(items, reference.begin()->second);
    reference.erase(reference.begin());
}

/// A distance from the present window: often near, else at the edge or far.
rc::Gen<uint64_t>
AnyDistance()
{
    constexpr uint64_t NEAR = Calendar::N_NEAR;
    return rc::gen::weightedOneOf<uint64_t>(
        {{6, rc::gen::inRange<uint64_t>(1, 4)},
         {3, rc::gen::inRange<uint64_t>(NEAR - 2, NEAR + 3)},
         {3, rc::gen::inRange<uint64_t>(1, 5 * NEAR)},
         {1, rc::gen::inRange<uint64_t>(1, uint64_t{1} << 60)}});
}

RC_GTEST_PROP(WindowCalendar, HasTheItemsOfEachWindowInTheOrderOfInsertion, ())
{
    Calendar calendar;
    Reference reference;
    std::vector<uint32_t> items;
    uint64_t now = 0;
    uint32_t next = 0;
    const auto nSteps = DrawInRange(1, 300);
    for (int step = 0; step < nSteps; ++step)
    {
        const int action = DrawInRange(0, 8);
        if (action < 5)
        {
            const uint64_t window = now + *AnyDistance();
            calendar.Insert(window, next);
            reference[window].push_back(next);
            ++next;
        }
        else if (action == 5 && next > 0)
        {
            // One that is there, or has gone
            const uint32_t item = DrawInRange(uint32_t{0}, next);
            const auto isIt = [item](uint32_t other) { return other == item; };
            const auto found =
                std::find_if(reference.begin(), reference.end(), [&isIt](const auto& entry) {
                    return std::any_of(entry.second.begin(), entry.second.end(), isIt);
                });
            const uint64_t window = found == reference.end() ? now + 1 : found->first;
            RC_ASSERT(calendar.Has(window, isIt) == (found != reference.end()));
            RC_ASSERT(calendar.Remove(window, isIt) == (found != reference.end()));
            if (found != reference.end())
            {
                auto& left = found->second;
                left.erase(std::find_if(left.begin(), left.end(), isIt));
                if (left.empty())
                {
                    reference.erase(found);
                }
            }
        }
        else if (!reference.empty())
        {
            now = reference.begin()->first;
            TakeFirst(calendar, reference, items);
        }
        RC_ASSERT(calendar.IsEmpty() == reference.empty());
    }
    while (!reference.empty())
    {
        TakeFirst(calendar, reference, items);
    }
    RC_ASSERT(calendar.IsEmpty());
}

TEST(WindowCalendar, TakesItemsOfTheWindowThatWasTakenLastAgain)
{
    // What is added for a window after it was taken comes before all later windows.
    Calendar calendar;
    std::vector<uint32_t> items;
    calendar.Insert(1000, 1);
    calendar.Take(1000, items);
    calendar.Insert(1001, 3);
    calendar.Insert(1000, 2);
    EXPECT_EQ(calendar.GetFirst(), 1000);
    calendar.Take(1000, items);
    EXPECT_EQ(items, std::vector<uint32_t>{2});
    EXPECT_EQ(calendar.GetFirst(), 1001);
}
