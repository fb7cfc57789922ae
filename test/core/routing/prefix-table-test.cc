// SPDX-License-Identifier: GPL-2.0-only

// The longest-prefix match, against a list that is searched from end to end.

#include "model/core/routing/prefix-table.h"
#include "test/core/core-test.h"

struct Route
{
    uint32_t network;
    uint8_t length;
    uint32_t value;
};

bool
operator==(const Route& a, const Route& b)
{
    return a.network == b.network && a.length == b.length && a.value == b.value;
}

/// The first @p length bits of an address; bit by bit, other than the table does it.
uint32_t
Truncate(uint32_t address, uint8_t length)
{
    uint32_t network = 0;
    for (uint32_t bit = 0; bit < length; ++bit)
    {
        network |= address & (0x80000000U >> bit);
    }
    return network;
}

/// The reference: a list of routes.
class RouteList
{
  public:
    /// Adds or replaces.
    void Insert(uint32_t network, uint8_t length, uint32_t value)
    {
        Remove(network, length);
        m_routes.push_back({network, length, value});
    }

    /// Removes; true if it was there.
    bool Remove(uint32_t network, uint8_t length)
    {
        for (auto i = m_routes.begin(); i != m_routes.end(); ++i)
        {
            if (i->network == network && i->length == length)
            {
                m_routes.erase(i);
                return true;
            }
        }
        return false;
    }

    /// The value of the longest match that is a multiple of @p factor, null if there is none.
    const uint32_t* Find(uint32_t address, uint32_t factor = 1) const
    {
        const Route* best = nullptr;
        for (const auto& route : m_routes)
        {
            if (route.value % factor == 0 && Truncate(address, route.length) == route.network &&
                (!best || route.length > best->length))
            {
                best = &route;
            }
        }
        return best ? &best->value : nullptr;
    }

    /// All routes by network and length.
    std::vector<Route> GetSorted() const
    {
        auto routes = m_routes;
        std::sort(routes.begin(), routes.end(), [](const Route& a, const Route& b) {
            return std::tie(a.network, a.length) < std::tie(b.network, b.length);
        });
        return routes;
    }

  private:
    std::vector<Route> m_routes; //!< in any order
};

/// Says whether two results are equal: the same value, or none.
bool
IsSame(const uint32_t* a, const uint32_t* b)
{
    return a && b ? *a == *b : a == b;
}

std::vector<Route>
List(const PrefixTable<uint32_t>& table)
{
    std::vector<Route> routes;
    table.ForEach([&](uint32_t network, uint8_t length, uint32_t value) {
        routes.push_back({network, length, value});
    });
    return routes;
}

TEST(PrefixTable, EmptyTableMatchesNothing)
{
    PrefixTable<uint32_t> table;
    EXPECT_EQ(table.Find(0), nullptr);
    EXPECT_EQ(table.FindExact(0, 0), nullptr);
    EXPECT_FALSE(table.Remove(0, 0));
    EXPECT_EQ(table.GetSize(), 0U);
    EXPECT_TRUE(List(table).empty());
}

TEST(PrefixTable, LongestMatchWins)
{
    PrefixTable<std::string> table;
    table.Insert(0x0a000000, 8, "10/8");
    table.Insert(0x0a010200, 24, "10.1.2/24");
    table.Insert(0x0a010000, 16, "10.1/16");
    EXPECT_EQ(*table.Find(0x0a010203), "10.1.2/24");
    EXPECT_EQ(*table.Find(0x0a010303), "10.1/16");
    EXPECT_EQ(*table.Find(0x0a020203), "10/8");
    EXPECT_EQ(table.Find(0x0b010203), nullptr);
}

TEST(PrefixTable, DefaultRouteAndHostRoutesAreTheEnds)
{
    PrefixTable<uint32_t> table;
    table.Insert(0, 0, 1);
    table.Insert(0, 32, 2);
    table.Insert(0xffffffff, 32, 3);
    EXPECT_EQ(*table.Find(0), 2U);
    EXPECT_EQ(*table.Find(1), 1U);
    EXPECT_EQ(*table.Find(0xfffffffe), 1U);
    EXPECT_EQ(*table.Find(0xffffffff), 3U);
    EXPECT_TRUE(table.Remove(0, 0));
    EXPECT_EQ(table.Find(1), nullptr);
    EXPECT_EQ(*table.Find(0), 2U);
}

TEST(PrefixTable, InsertReplaces)
{
    PrefixTable<uint32_t> table;
    table.Insert(0x0a000000, 8, 1);
    table.Insert(0x0a000000, 8, 2);
    EXPECT_EQ(table.GetSize(), 1U);
    EXPECT_EQ(*table.Find(0x0a000001), 2U);
}

TEST(PrefixTable, InsertTakesAValueOfTheTableItself)
{
    PrefixTable<std::string> table;
    const std::string text(100, 'x');
    table.Insert(0, 32, text);
    for (uint32_t i = 1; i < 100; ++i) // through several growths
    {
        table.Insert(i, 32, *table.Find(i - 1));
        ASSERT_EQ(*table.Find(i), text);
    }
}

TEST(PrefixTable, UsableSkipsToShorterPrefixes)
{
    PrefixTable<uint32_t> table;
    table.Insert(0, 0, 0);
    table.Insert(0x0a000000, 8, 8);
    table.Insert(0x0a010000, 16, 16);
    std::vector<uint32_t> asked;
    const auto refuse = [&](uint32_t least) {
        return [&asked, least](uint32_t value) {
            asked.push_back(value);
            return value < least;
        };
    };
    EXPECT_EQ(*table.Find(0x0a010001, refuse(16)), 8U);
    EXPECT_EQ(*table.Find(0x0a010001, refuse(8)), 0U);
    EXPECT_EQ(table.Find(0x0a010001, refuse(0)), nullptr);
    EXPECT_EQ(asked, (std::vector<uint32_t>{16, 8, 16, 8, 0, 16, 8, 0}));
}

TEST(PrefixTable, FindExactTakesNoOtherLengthOrNetwork)
{
    PrefixTable<uint32_t> table;
    table.Insert(0x0a000000, 8, 8);
    EXPECT_EQ(*table.FindExact(0x0a000000, 8), 8U);
    EXPECT_EQ(table.FindExact(0x0a000000, 9), nullptr);
    EXPECT_EQ(table.FindExact(0x0a000001, 8), nullptr);
    for (const int length : {33, 254, 255}) // no free slot is taken for one
    {
        EXPECT_EQ(table.FindExact(0, static_cast<uint8_t>(length)), nullptr);
        EXPECT_FALSE(table.Remove(0, static_cast<uint8_t>(length)));
    }
}

TEST(PrefixTable, RefusesWhatIsNoPrefixAndSaysWhatItFound)
{
    PrefixTable<uint32_t> table;
    const auto refusal = [&](uint32_t network, uint8_t length) -> std::string {
        try
        {
            table.Insert(network, length, 1);
        }
        catch (const std::invalid_argument& error)
        {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(refusal(0x0a000000, 33).find("found 33"), std::string::npos);
    EXPECT_NE(refusal(0x0a010001, 24).find("found 10.1.0.1/24"), std::string::npos);
    EXPECT_NE(refusal(1, 31).find("found 0.0.0.1/31"), std::string::npos);
    EXPECT_NE(refusal(0x80000000, 0).find("found 128.0.0.0/0"), std::string::npos);
    EXPECT_EQ(table.GetSize(), 0U);
}

TEST(PrefixTable, ClearForgetsAll)
{
    PrefixTable<uint32_t> table;
    table.Insert(0, 0, 1);
    table.Insert(0x0a000000, 8, 2);
    table.Clear();
    EXPECT_EQ(table.GetSize(), 0U);
    EXPECT_EQ(table.Find(0x0a000001), nullptr);
    table.Insert(0x0a000000, 8, 3);
    EXPECT_EQ(*table.Find(0x0a000001), 3U);
}

TEST(PrefixTable, CopiesAreIndependent)
{
    PrefixTable<uint32_t> table;
    table.Insert(0, 0, 1);
    const auto copy = table;
    table.Insert(0, 0, 2);
    EXPECT_EQ(*copy.Find(5), 1U);
    EXPECT_EQ(*table.Find(5), 2U);
}

/// An address of few distinct bits, so that prefixes and addresses often meet.
uint32_t
DrawAddress()
{
    const auto choice = DrawInRange<uint32_t>(0, 64);
    return ((choice & 1U) * 0x80000000U) | ((choice >> 1 & 1U) * 0x00800000U) |
           ((choice >> 2 & 1U) * 0x00010000U) | (choice >> 3 & 7U);
}

/// Any sequence of insertions and removals.
RC_GTEST_PROP(PrefixTable, AnswersAsTheList, ())
{
    PrefixTable<uint32_t> table;
    RouteList list;
    const auto steps = DrawInRange<uint32_t>(0, 150);
    for (uint32_t i = 0; i < steps; ++i)
    {
        const auto length = DrawElement<uint8_t>({0, 1, 8, 9, 15, 16, 24, 29, 30, 31, 32, 32, 32});
        const auto network = Truncate(DrawAddress(), length);
        if (DrawInRange(0, 3) == 0)
        {
            RC_ASSERT(table.Remove(network, length) == list.Remove(network, length));
        }
        else
        {
            table.Insert(network, length, i);
            list.Insert(network, length, i);
        }
        const auto address = DrawAddress();
        RC_ASSERT(IsSame(table.Find(address), list.Find(address)));
        const auto isThird = [](uint32_t value) { return value % 3 == 0; };
        RC_ASSERT(IsSame(table.Find(address, isThird), list.Find(address, 3)));
    }
    const auto sorted = list.GetSorted();
    RC_ASSERT(table.GetSize() == sorted.size());
    RC_ASSERT(List(table) == sorted);
    for (const auto& route : sorted) // until none is left
    {
        RC_ASSERT(*table.FindExact(route.network, route.length) == route.value);
        RC_ASSERT(table.Remove(route.network, route.length));
    }
    RC_ASSERT(table.GetSize() == 0U);
    RC_ASSERT(!table.Find(0));
}

// 10^5 random routes of all lengths, then every other one of them removed.
TEST(PrefixTable, HundredThousandRoutes)
{
    std::mt19937 random(1);
    PrefixTable<uint32_t> table;
    std::vector<Route> routes;
    while (routes.size() < 100000)
    {
        const auto length = static_cast<uint8_t>(random() % 33);
        const auto network = Truncate(static_cast<uint32_t>(random()), length);
        if (!table.FindExact(network, length))
        {
            const Route route{network, length, static_cast<uint32_t>(routes.size())};
            table.Insert(network, length, route.value);
            routes.push_back(route);
        }
    }
    EXPECT_EQ(table.GetSize(), routes.size());
    for (const bool halved : {false, true})
    {
        for (int i = 0; i < 100; ++i)
        {
            const auto address = static_cast<uint32_t>(random());
            const Route* best = nullptr;
            for (const auto& route : routes)
            {
                if ((!halved || route.value % 2 == 0) && (!best || route.length > best->length) &&
                    Truncate(address, route.length) == route.network)
                {
                    best = &route;
                }
            }
            ASSERT_TRUE(IsSame(table.Find(address), best ? &best->value : nullptr)) << address;
        }
        for (const auto& route : routes)
        {
            const auto* value = table.FindExact(route.network, route.length);
            if (halved && route.value % 2 == 1)
            {
                ASSERT_EQ(value, nullptr);
            }
            else
            {
                ASSERT_TRUE(value && *value == route.value);
            }
            if (!halved && route.value % 2 == 1)
            {
                ASSERT_TRUE(table.Remove(route.network, route.length));
            }
        }
    }
    EXPECT_EQ(table.GetSize(), routes.size() / 2);
}
