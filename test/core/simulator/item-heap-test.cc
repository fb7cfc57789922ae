// SPDX-License-Identifier: GPL-2.0-only

// A heap of which items can be removed, against std::multiset; the order of events.

#include "model/core/simulator/window-calendar.h"
#include "test/core/core-test.h"

RC_GTEST_PROP(ItemHeap, GivesItemsInOrder, ())
{
    ItemHeap<int, std::less<>> heap;
    std::multiset<int> reference;
    const auto nSteps = DrawInRange(1, 200);
    for (int step = 0; step < nSteps; ++step)
    {
        const int item = DrawInRange(0, 50);
        switch (DrawInRange(0, 5))
        {
        case 0: {
            const auto items = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 50));
            heap.PushAll(items);
            reference.insert(items.begin(), items.end());
            break;
        }
        case 1: {
            const auto found = reference.find(item);
            const bool isThere = found != reference.end();
            RC_ASSERT(heap.Remove([item](int other) { return other == item; }) == isThere);
            if (isThere)
            {
                reference.erase(found);
            }
            break;
        }
        case 2:
            if (!reference.empty())
            {
                RC_ASSERT(heap.GetFirst() == *reference.begin());
                RC_ASSERT(heap.Pop() == *reference.begin());
                reference.erase(reference.begin());
            }
            break;
        default:
            heap.Push(item);
            reference.insert(item);
        }
        RC_ASSERT(heap.IsEmpty() == reference.empty());
        RC_ASSERT(heap.GetAll().size() == reference.size());
    }
    std::vector<int> left{99};
    heap.TakeAll(left);
    RC_ASSERT(std::multiset<int>(left.begin(), left.end()) == reference);
    RC_ASSERT(heap.IsEmpty());
}

RC_GTEST_PROP(EventOrder, IsThatOfItsPartsOneAfterTheOther, ())
{
    const auto make = [] {
        EventOrder order;
        order.time = DrawInRange(0, 2);
        order.scheduled = DrawInRange(0, 2);
        order.phase = DrawInRange(0, 2);
        order.scheduler = DrawInRange(0, 2);
        order.number = DrawInRange(0, 2);
        return order;
    };
    const auto tie = [](const EventOrder& order) {
        return std::tie(order.time, order.scheduled, order.phase, order.scheduler, order.number);
    };
    const auto a = make();
    const auto b = make();
    RC_ASSERT((a < b) == (tie(a) < tie(b)));
}
