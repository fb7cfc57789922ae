// SPDX-License-Identifier: GPL-2.0-only

// Which routes are used: RFC 4271, sections 9.1.1 and 9.1.2.2; RFC 7938, section 6.3.

#include "model/core/bgp/bgp-decision.h"
#include "test/core/core-test.h"

using Chosen = std::vector<std::size_t>;

/// A route in short; attributes and candidate are made of it.
struct Route
{
    std::vector<uint32_t> path;          //!< AS path
    uint32_t identifier{1};              //!< of the peer
    std::optional<uint32_t> localPref{}; //!< LOCAL_PREF
    std::optional<uint32_t> med{};       //!< MULTI_EXIT_DISC
    BgpOrigin origin{BgpOrigin::IGP};    //!< ORIGIN
    bool isExternal{true};               //!< from another AS
    bool isLocal{false};                 //!< the speaker's own
    uint32_t address{1};                 //!< of the peer
};

/// Routes as the decision process takes them.
struct Candidates
{
    explicit Candidates(const std::vector<Route>& routes)
    {
        for (const Route& route : routes)
        {
            BgpPathAttributes& a = attributes.emplace_back();
            if (!route.path.empty())
            {
                a.asPath.segments.push_back({BgpSegmentType::SEQUENCE, route.path});
            }
            a.localPref = route.localPref;
            a.multiExitDisc = route.med;
            a.origin = route.origin;
            candidates.push_back(
                {&a, route.identifier, route.address, route.isExternal, route.isLocal});
        }
    }

    std::deque<BgpPathAttributes> attributes; //!< of the candidates
    std::vector<BgpCandidate> candidates;     //!< the routes
};

Chosen
Decide(const std::vector<Route>& routes, const BgpDecisionSettings& settings = {})
{
    return DecideBgpRoutes(Candidates(routes).candidates, settings);
}

/// A pair of routes, and which of them are used.
struct Case
{
    std::string name; //!< the rule
    Route a;          //!< route 0
    Route b;          //!< route 1
    Chosen chosen;    //!< in their order
};

TEST(BgpDecision, EachStepDecidesIfThoseBeforeDoNot)
{
    constexpr auto NONE = std::nullopt;
    constexpr auto IGP = BgpOrigin::IGP;
    constexpr auto EGP = BgpOrigin::EGP;
    const std::vector<Case> cases{
        {"own route", {{}, 9, 1, NONE, IGP, true, true}, {{}, 1, 200}, {0}},
        {"9.1.1: LOCAL_PREF, 100 without", {{1, 2, 3}, 9, 101, NONE, EGP}, {{1}, 1}, {0}},
        {"9.1.1: LOCAL_PREF as by default", {{1}, 1, 100}, {{1}, 2}, {0, 1}},
        {"9.1.2.2 a: AS path", {{1, 2}, 1}, {{3}, 9, NONE, NONE, EGP}, {1}},
        {"9.1.2.2 b: ORIGIN", {{1}, 9, NONE, 5}, {{1}, 1, NONE, 4, EGP}, {0}},
        {"9.1.2.2 c: MED of a neighbor", {{1, 2}, 9, NONE, 4}, {{1, 3}, 1, NONE, 5}, {0}},
        {"9.1.2.2 c: none is 0", {{1}, 9}, {{1}, 1, NONE, 1}, {0}},
        {"9.1.2.2 c: MEDs of two neighbors", {{1}, 9, NONE, 4}, {{2}, 1, NONE, 5}, {1, 0}},
        {"9.1.2.2 d: external", {{1}, 9}, {{1}, 1, NONE, NONE, IGP, false}, {0}},
        {"9.1.2.2 f: identifier", {{1}, 9}, {{2}, 1}, {1, 0}},
        {"9.1.2.2 g: address",
         {{1}, 1, NONE, NONE, IGP, true, false, 7},
         {{1}, 1, NONE, NONE, IGP, true, false, 6},
         {1, 0}},
    };
    for (const Case& row : cases)
    {
        SCOPED_TRACE(row.name);
        EXPECT_EQ(Decide({row.a, row.b}), row.chosen);
        Chosen reversed = row.chosen;
        for (std::size_t& i : reversed)
        {
            i = 1 - i;
        }
        EXPECT_EQ(Decide({row.b, row.a}), reversed);
    }
}

TEST(BgpDecision, ASetOfAsPathsCountsAsOne)
{
    Candidates routes({{{1, 2}, 1}, {{1}, 2}});
    routes.attributes[1].asPath.segments.push_back({BgpSegmentType::SET, {7, 8, 9}});
    EXPECT_EQ(DecideBgpRoutes(routes.candidates, {}), (Chosen{0, 1}));
}

TEST(BgpDecision, MedOfOneNeighborLeavesRoutesOfOthers)
{
    // The route of AS 1 that has lost by MED must not win, in whatever order they are.
    EXPECT_EQ(Decide({{{1}, 1, {}, 10}, {{2}, 2, {}, 3}, {{1}, 3, {}, 5}}), (Chosen{1, 2}));
}

TEST(BgpDecision, WithoutRelaxationPathsMustBeEqual)
{
    const std::vector<Route> routes{{{1, 5}, 3}, {{2, 5}, 2}, {{1, 5}, 4}, {{2, 5}, 5}};
    EXPECT_EQ(Decide(routes), (Chosen{1, 0, 2, 3}));
    BgpDecisionSettings settings;
    settings.relaxesAsPath = false;
    EXPECT_EQ(Decide(routes, settings), (Chosen{1, 3}));
}

TEST(BgpDecision, AtMostSoManyRoutesAreUsed)
{
    BgpDecisionSettings settings;
    settings.maxPaths = 2;
    EXPECT_EQ(Decide({{{1}, 3}, {{1}, 2}, {{1}, 1}}, settings), (Chosen{2, 1}));
    settings.maxPaths = 1;
    EXPECT_EQ(Decide({{{1}, 3}, {{1}, 2}, {{1}, 1}}, settings), (Chosen{2}));
    EXPECT_EQ(Decide({}), Chosen{});
}

RC_GTEST_PROP(BgpDecision, TheOrderOfRoutesMakesNoDifference, (bool isRelaxed))
{
    std::vector<Route> routes(DrawInRange<std::size_t>(1, 9));
    for (uint32_t i = 0; i < routes.size(); ++i)
    {
        Route& route = routes[i];
        static const std::vector<std::vector<uint32_t>> PATHS{{1, 2}, {1, 3}, {2, 3}, {2}, {4, 2}};
        route.path = *rc::gen::elementOf(PATHS);
        route.identifier = DrawInRange<uint32_t>(1, 4);
        route.address = i;
        if (DrawAny<bool>())
        {
            route.med = DrawInRange<uint32_t>(0, 3);
        }
        route.isExternal = DrawElement({true, true, false});
    }
    BgpDecisionSettings settings;
    settings.relaxesAsPath = isRelaxed;
    settings.maxPaths = DrawInRange<uint32_t>(1, 9);
    const auto getAddresses = [&settings](const std::vector<Route>& all) {
        std::vector<uint32_t> addresses;
        for (const std::size_t i : Decide(all, settings))
        {
            addresses.push_back(all[i].address);
        }
        return addresses;
    };
    const auto expected = getAddresses(routes);
    RC_ASSERT(!expected.empty());
    for (std::size_t i = 0; i + 1 < routes.size(); ++i)
    {
        std::swap(routes[i], routes[DrawInRange(i, routes.size())]);
    }
    RC_ASSERT(getAddresses(routes) == expected);
}
