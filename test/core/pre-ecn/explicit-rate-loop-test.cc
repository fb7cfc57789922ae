// SPDX-License-Identifier: GPL-2.0-only

// The closed loop of a WAN's edge with explicit rates: arrivals at a router's port, the shares of
// its flows, notifications, and the rates at the edge, for delays up to 50 ms between them. RCP
// (N. Dukkipati: Rate Control Protocol, Stanford 2007), which needs no table of flows, is compared.

#include "model/core/pre-ecn/edge-rate-law.h"
#include "model/core/pre-ecn/port-shares.h"
#include "test/core/core-test.h"

/// The link in bit/s.
constexpr double LINK = 10e9;
/// A queue that is longer is marked.
constexpr double T1 = 50e3;

/// A flow.
struct Source
{
    double demand{LINK};      //!< what it would send, bit/s
    double begin{0};          //!< when it begins, in feedback delays
    double end{1e9};          //!< when it ends
    int64_t delay{0};         //!< from its edge to the router, and back, ns
    bool hasBeginning{false}; //!< whether it begins with what its edge was told last
};

/// What a loop is like.
struct Loop
{
    std::vector<Source> sources;
    double nDelays{40};       //!< how long it runs, in feedback delays
    double lost{0};           //!< part of the notifications that is lost
    double muteBegin{1e9};    //!< from when on all notifications are lost, in feedback delays
    double muteEnd{1e9};      //!< until when
    bool isRcp{false};        //!< whether the router has RCP in place of shares
    double utilization{0.99}; //!< what the router aims at
};

/// What came of it. In the last half all is settled.
struct Outcome
{
    double utilization{0};     //!< of the link in the last half
    double fairness{0};        //!< Jain's index of what arrives in the last half
    double longest{0};         //!< queue in bytes
    double lastLongest{0};     //!< in the last half
    double firstEmpty{1};      //!< least utilization in a feedback delay, after the first two
    std::vector<double> busy;  //!< utilization of the link in each feedback delay
    uint64_t nTold{0};         //!< notifications
    std::vector<double> rates; //!< of the flows in the last half, bit/s
};

/// A notification under way.
struct UnderWay
{
    std::size_t flow;
    EdgeRateLaw::ExplicitRate told;
};

/// Make flows that begin at once.
std::vector<Source>
MakeSources(std::size_t n, int64_t delay, double demand)
{
    return std::vector<Source>(n, Source{demand, 0, 1e9, delay, false});
}

/// Runs a loop in small steps of time, with fluids for packets.
Outcome
Drive(const Loop& loop)
{
    int64_t longest = 0;
    for (const auto& source : loop.sources)
    {
        longest = std::max(longest, source.delay);
    }
    const int64_t feedback = 2 * longest;
    const int64_t step = std::max<int64_t>(feedback / 400, 1000);
    const double seconds = 1e-9 * static_cast<double>(step);
    const double room = LINK * seconds / 8;
    PortShares::Settings settings;
    settings.law.capacity = LINK;
    settings.law.utilization = loop.utilization;
    settings.law.feedback = feedback + settings.interval;
    PortShares shares;
    const EdgeRateLaw::Settings edge;
    std::vector<EdgeRateLaw> laws(loop.sources.size());
    std::vector<std::deque<double>> ways;
    for (const auto& source : loop.sources)
    {
        ways.emplace_back(static_cast<std::size_t>(source.delay / step), 0.0);
    }
    std::multimap<int64_t, UnderWay> notifications; // by arrival
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform;
    Outcome outcome;
    outcome.rates.resize(loop.sources.size());
    double queue = 0;
    double rcp = LINK;
    double rcpBytes = 0;
    int64_t rcpTime = 0;
    double told = 0; // what edges were told last
    double binServed = 0;
    double binTime = 0;
    double served = 0;
    const auto duration = static_cast<int64_t>(loop.nDelays * static_cast<double>(feedback));
    for (int64_t now = 0; now < duration; now += step)
    {
        const double inDelays = static_cast<double>(now) / static_cast<double>(feedback);
        const bool isLast = now >= duration / 2;
        double in = 0;
        std::vector<double> arrived(laws.size());
        for (std::size_t i = 0; i < laws.size(); ++i)
        {
            const auto& source = loop.sources[i];
            const bool isOn = inDelays >= source.begin && inDelays < source.end;
            if (isOn && source.hasBeginning && !laws[i].IsLimited() && told > 0)
            {
                laws[i].SetExplicitRate(edge,
                                        now,
                                        {static_cast<uint64_t>(told), 2 * feedback, 1, 0, feedback},
                                        0);
            }
            const double demand = isOn ? source.demand : 0;
            const double rate = std::min(static_cast<double>(laws[i].GetRate()), demand);
            ways[i].push_back(rate);
            arrived[i] = ways[i].front() * seconds / 8;
            ways[i].pop_front();
            in += arrived[i];
            outcome.rates[i] += isLast ? arrived[i] : 0;
            laws[i].Update(edge, now, static_cast<uint64_t>(demand), rate < demand);
        }
        const double out = std::min(queue + in, room);
        queue += in - out;
        outcome.longest = std::max(outcome.longest, queue);
        outcome.lastLongest = std::max(outcome.lastLongest, isLast ? queue : 0);
        served += isLast ? out : 0;
        binServed += out;
        binTime += room;
        if (binTime >= LINK * 1e-9 * static_cast<double>(feedback) / 8)
        {
            outcome.busy.push_back(binServed / binTime);
            outcome.firstEmpty =
                inDelays > 2 ? std::min(outcome.firstEmpty, binServed / binTime) : 1;
            binServed = binTime = 0;
        }
        // RCP: R <- R (1 + T/d (alpha (C - y) - beta q/d) / C), here with T = d/8
        rcpBytes += in;
        if (now - rcpTime >= feedback / 8)
        {
            const double t = 1e-9 * static_cast<double>(now - rcpTime);
            const double d = 1e-9 * static_cast<double>(feedback);
            const double y = 8 * rcpBytes / t;
            rcp *= 1 + t / d * (0.4 * (LINK - y) - 0.226 * 8 * queue / d) / LINK;
            rcp = std::clamp(rcp, 0.0001 * LINK, LINK);
            rcpBytes = 0;
            rcpTime = now;
        }
        for (std::size_t i = 0; i < laws.size(); ++i)
        {
            if (arrived[i] <= 0)
            {
                continue;
            }
            PortShares::Share share{};
            if (loop.isRcp)
            {
                if (now % std::max<int64_t>(feedback / 8 / step * step, step) != 0)
                {
                    continue;
                }
                share = {static_cast<uint64_t>(rcp), 2 * feedback};
            }
            else
            {
                PortShares::Arrival arrival;
                arrival.time = now;
                arrival.innerBytes = arrival.linkBytes =
                    static_cast<uint32_t>(std::llround(arrived[i]));
                arrival.queue = queue;
                arrival.severity =
                    queue > T1 ? CongestionSeverity::LIGHT : CongestionSeverity::NONE;
                const FlowKey key{static_cast<uint32_t>(i), 0, 0, 0, 17};
                if (arrival.innerBytes == 0 ||
                    shares.Count(settings, key, arrival) != NotificationVerdict::SEND)
                {
                    continue;
                }
                share = shares.TakeShare(settings);
            }
            ++outcome.nTold;
            const bool isMute = inDelays >= loop.muteBegin && inDelays < loop.muteEnd;
            if (uniform(random) >= loop.lost && !isMute)
            {
                const EdgeRateLaw::ExplicitRate telling{share.rate,
                                                        share.validity,
                                                        1,
                                                        now,
                                                        feedback};
                notifications.insert({now + loop.sources[i].delay, {i, telling}});
            }
        }
        const auto arrivedUntil = notifications.upper_bound(now);
        for (auto i = notifications.begin(); i != arrivedUntil; i = notifications.erase(i))
        {
            const auto& [flow, telling] = i->second;
            laws[flow].SetExplicitRate(edge,
                                       now,
                                       telling,
                                       static_cast<uint64_t>(loop.sources[flow].demand));
            if (telling.rate != EdgeRateLaw::UNLIMITED)
            {
                told = static_cast<double>(telling.rate);
            }
        }
    }
    const double half = static_cast<double>(duration - duration / 2) * 1e-9;
    outcome.utilization = 8 * served / half / LINK;
    double sum = 0;
    double squares = 0;
    for (auto& rate : outcome.rates)
    {
        rate *= 8 / half;
        sum += rate;
        squares += rate * rate;
    }
    outcome.fairness = sum * sum / squares / static_cast<double>(outcome.rates.size());
    return outcome;
}

/// C D for a one-way delay, in bytes.
double
GetPipe(int64_t delay)
{
    return LINK / 8 * 1e-9 * 2 * static_cast<double>(delay);
}

/// Two to 64 flows that begin at once with twice the link's rate: the queue is what arrives until
/// the first notification takes effect, (k - 1) C D, and a measurement more; then the link stays
/// busy, and the shares are equal.
TEST(ExplicitRateLoop, LongFlowsFillTheLinkFairly)
{
    for (const int64_t delay : {100'000, 5'000'000, 20'000'000, 50'000'000})
    {
        for (const std::size_t n : {2, 8, 16, 64})
        {
            const auto outcome = Drive({MakeSources(n, delay, 2 * LINK / static_cast<double>(n))});
            const auto name = std::to_string(delay) + ", " + std::to_string(n) + " flows";
            EXPECT_GT(outcome.utilization, 0.98) << name;
            EXPECT_GT(outcome.firstEmpty, 0.97) << name;
            EXPECT_GT(outcome.fairness, 0.99) << name;
            const double measured = LINK / 8 * 2 * 100e-6;
            EXPECT_GT(outcome.longest, 0.95 * GetPipe(delay)) << name;
            EXPECT_LT(outcome.longest, 1.1 * GetPipe(delay) + T1 + measured) << name;
        }
    }
}

/// A burst of eight times the link takes (8 - 1) C D, which no law can prevent, and leaves.
TEST(ExplicitRateLoop, TheBufferIsWhatArrivesInADelay)
{
    for (const double k : {4.0, 8.0})
    {
        constexpr int64_t DELAY = 20'000'000;
        const auto outcome = Drive({MakeSources(16, DELAY, k * LINK / 16), 100});
        EXPECT_GT(outcome.longest, 0.95 * (k - 1) * GetPipe(DELAY));
        EXPECT_LT(outcome.longest, 1.1 * (k - 1) * GetPipe(DELAY));
        EXPECT_LT(outcome.lastLongest, 0.05 * GetPipe(DELAY));
        EXPECT_GT(outcome.utilization, 0.98);
        EXPECT_GT(outcome.firstEmpty, 0.97) << "it does not overshoot";
    }
}

/// RCP has to find the number of flows in steps, and has a longer queue meanwhile.
TEST(ExplicitRateLoop, RcpNeedsMoreBuffer)
{
    for (const std::size_t n : {2, 16, 64})
    {
        constexpr int64_t DELAY = 20'000'000;
        Loop loop{MakeSources(n, DELAY, 2 * LINK / static_cast<double>(n)), 80};
        const auto shares = Drive(loop);
        loop.isRcp = true;
        const auto rcp = Drive(loop);
        EXPECT_GT(rcp.longest, 1.5 * shares.longest) << n << ": " << rcp.longest;
        EXPECT_LT(rcp.firstEmpty, 0.6) << n << ": " << rcp.firstEmpty;
        EXPECT_GT(shares.firstEmpty, 0.98) << n;
    }
}

/// Small demands leave their rest to the others: 1, 2, 6, 9 Gbit/s of 9.9 are 1, 2, 3.45, 3.45.
TEST(ExplicitRateLoop, SharesAreMaxMinFair)
{
    for (const int64_t delay : {100'000, 20'000'000})
    {
        Loop loop;
        for (const double demand : {1e9, 2e9, 6e9, 9e9})
        {
            loop.sources.push_back({demand, 0, 1e9, delay, false});
        }
        const auto outcome = Drive(loop);
        EXPECT_NEAR(outcome.rates[0], 1e9, 0.01e9);
        EXPECT_NEAR(outcome.rates[1], 2e9, 0.02e9);
        EXPECT_NEAR(outcome.rates[2], 3.45e9, 0.07e9);
        EXPECT_NEAR(outcome.rates[3], 3.45e9, 0.07e9);
    }
}

/// What fits is not limited: 3 flows of 3 Gbit/s.
TEST(ExplicitRateLoop, WithoutCongestionNobodyIsTold)
{
    const auto outcome = Drive({MakeSources(3, 5'000'000, 3e9)});
    EXPECT_EQ(outcome.nTold, 0);
    EXPECT_EQ(outcome.longest, 0);
}

/// Edges at different delays: D is the longest one of them.
TEST(ExplicitRateLoop, NearAndFarEdges)
{
    Loop loop{MakeSources(4, 20'000'000, LINK / 2)};
    loop.sources[0].delay = loop.sources[1].delay = 1'000'000;
    const auto outcome = Drive(loop);
    EXPECT_GT(outcome.utilization, 0.98);
    EXPECT_GT(outcome.fairness, 0.99);
    EXPECT_GT(outcome.firstEmpty, 0.95);
}

/// A flow that begins with what the others have costs 1/5 of C D of buffer; half of the flows that
/// end cost half of the link for a delay, and then the others have it.
TEST(ExplicitRateLoop, FlowsComeAndGo)
{
    constexpr int64_t DELAY = 20'000'000;
    Loop loop{MakeSources(4, DELAY, LINK / 2)};
    loop.sources.push_back({LINK, 20, 1e9, DELAY, true});
    auto outcome = Drive(loop);
    EXPECT_GT(outcome.fairness, 0.99);
    EXPECT_GT(outcome.utilization, 0.98);
    EXPECT_LT(outcome.lastLongest, 1.1 / 4 * GetPipe(DELAY));
    loop.sources.pop_back();
    loop.sources[0].end = loop.sources[1].end = 10;
    outcome = Drive(loop);
    EXPECT_GT(outcome.utilization, 0.98) << "in the end the others have all";
}

/// A router has told rates, and no longer sees the flows, or their share: of four flows, two end,
/// and nobody tells the others, who have a quarter of the link each. What was told last is valid
/// for 1 1/2 feedback delays. Then they have half of it each.
TEST(ExplicitRateLoop, WhatIsNoLongerToldDoubles)
{
    for (const int64_t delay : {5'000'000, 20'000'000, 50'000'000})
    {
        Loop loop{MakeSources(4, delay, LINK / 2)};
        loop.sources[0].end = loop.sources[1].end = 20;
        loop.muteBegin = 20;
        loop.muteEnd = 23;
        const auto outcome = Drive(loop);
        EXPECT_NEAR(outcome.busy[21], 0.5, 0.06) << delay << ": half a delay on the way";
        EXPECT_GT(outcome.busy[23], 0.98) << delay;
        EXPECT_GT(outcome.busy[24], 0.98) << delay;
        EXPECT_LT(outcome.lastLongest, 0.1 * GetPipe(delay) + T1) << delay;
    }
}

/// Notifications of a congested link are lost for three feedback delays, all of them. What was told
/// is valid for half of this, so twice the link's rate arrives for the other half, and for a delay
/// until what is told then has its effect: (2 - 1) C 2.5 D. Rates were never more than doubled, and
/// then the link is shared as before.
TEST(ExplicitRateLoop, MuteRoutersCostWhatDoublesInADelay)
{
    for (const int64_t delay : {5'000'000, 20'000'000, 50'000'000})
    {
        Loop loop{MakeSources(8, delay, LINK), 60};
        loop.muteBegin = 30;
        loop.muteEnd = 33;
        const auto outcome = Drive(loop);
        EXPECT_GT(outcome.lastLongest, 1.5 * GetPipe(delay)) << delay;
        EXPECT_LT(outcome.lastLongest, 1.1 * 2.5 * GetPipe(delay) + T1) << delay;
        EXPECT_GT(*std::min_element(outcome.busy.begin() + 30, outcome.busy.end()), 0.97) << delay;
        EXPECT_GT(outcome.fairness, 0.99) << delay;
    }
}

/// Half of all notifications may be lost.
TEST(ExplicitRateLoop, LostNotificationsDoNotMatter)
{
    for (const int64_t delay : {100'000, 20'000'000})
    {
        const double whole = Drive({MakeSources(8, delay, LINK / 4)}).longest;
        for (const double lost : {0.1, 0.5})
        {
            const auto outcome = Drive({MakeSources(8, delay, LINK / 4), 40, lost});
            EXPECT_GT(outcome.utilization, 0.97) << delay << ' ' << lost;
            EXPECT_GT(outcome.fairness, 0.98) << delay << ' ' << lost;
            EXPECT_LT(outcome.longest, (1 + 1.5 * lost) * whole) << delay << ' ' << lost;
        }
    }
}
