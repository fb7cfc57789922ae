// SPDX-License-Identifier: GPL-2.0-only

// The closed loop of a WAN's edge: marks at a router, notifications, the law of the edge's rates,
// and the way back to the router, for any delay between them.

#include "model/core/pre-ecn/edge-rate-law.h"
#include "model/core/pre-ecn/notification-gate.h"
#include "model/core/pre-ecn/pre-ecn-marker.h"
#include "test/core/core-test.h"

/// The link: 400 Gbit/s, a memory of 64 MB, thresholds of 2, 16 and 48 MB.
constexpr double LINK = 400e9;
constexpr double MEMORY = 64e6;
constexpr double PACKET = 4200;
/// Between notifications of a flow.
constexpr int64_t NOTIFIER_INTERVAL = 100'000;

/// What a loop is like.
struct Loop
{
    int64_t delay;               //!< from the edge to the router, and back, ns
    std::size_t nFlows{8};       //!< flows
    double demand{100e9};        //!< of each of them, bit/s
    int64_t onTime{0};           //!< how long they send, ns; 0 for all the time
    int64_t offTime{0};          //!< then they do not
    bool isPaused{true};         //!< whether the edge stops who sends more than may leave
    std::size_t nRounds{60};     //!< how long it is watched, in feedback delays and more
    bool actsOnFalling{false};   //!< whether there are steps while the queue falls
    bool isSevereIgnored{false}; //!< whether there are no steps for severe congestion
};

/// What came of it, but for its first quarter.
struct Outcome
{
    double utilization;      //!< of the link, as a part of what it could have sent
    double leastUtilization; //!< in any 4 feedback delays, or 2 ms
    double longest;          //!< queue in bytes
    double dropped;          //!< bytes, as a part of what arrived, from the beginning
    double smallestShare;    //!< of a flow, as a part of an equal share
};

/// A notification under way.
struct UnderWay
{
    int64_t mark;
    std::size_t flow;
    CongestionSeverity severity;
    bool isFalling;
};

/// Runs a loop in small steps of time, with fluids for packets: what leaves the edge is at the
/// router a delay later, and what the router tells is at the edge after another one.
Outcome
Drive(const Loop& loop)
{
    const int64_t step = std::clamp<int64_t>(loop.delay / 20, 2000, NOTIFIER_INTERVAL / 2);
    const double seconds = 1e-9 * static_cast<double>(step);
    const int64_t feedback = 2 * loop.delay;
    const int64_t duration =
        static_cast<int64_t>(loop.nRounds) * std::max<int64_t>(feedback, 1'000'000);
    const EdgeRateLaw::Settings settings;
    constexpr double LIGHT_STEP = 0.05;
    constexpr double SEVERE_STEP = 0.25;
    PreEcnMarker marker;
    marker.Configure({2'000'000, 16'000'000, 48'000'000, 1, 0.2, 1, false});
    NotificationGate gate;
    QueueTrend trend;
    std::vector<EdgeRateLaw> laws(loop.nFlows);
    std::vector<double> sent(loop.nFlows);
    std::deque<double> way(static_cast<std::size_t>(loop.delay / step), 0.0);
    std::deque<UnderWay> notifications;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform;
    const auto happens = [&](double p) { return uniform(random) < p; };
    Outcome outcome{0, 2, 0, 0, 0};
    double queue = 0;
    double arrived = 0;
    double served = 0;
    double possible = 0;
    double binServed = 0;
    double binPossible = 0;
    int64_t nextTick = 0;
    for (int64_t now = 0; now < duration; now += step)
    {
        const int64_t period = loop.onTime + loop.offTime;
        const bool isOn = period == 0 || now % period < loop.onTime;
        const double demand = isOn ? loop.demand : 0;
        double rate = 0;
        const auto isHeld = [&](const EdgeRateLaw& law) {
            return static_cast<double>(law.GetRate()) < demand;
        };
        const auto measure = [&](const EdgeRateLaw& law) {
            return loop.isPaused && isHeld(law) ? law.GetRate() : static_cast<uint64_t>(demand);
        };
        for (std::size_t i = 0; i < laws.size(); ++i)
        {
            const double own = isHeld(laws[i]) ? static_cast<double>(laws[i].GetRate()) : demand;
            rate += own;
            sent[i] += now >= duration / 4 ? own : 0;
        }
        way.push_back(rate);
        const double in = way.front() * seconds / 8;
        way.pop_front();
        const double room = LINK * seconds / 8;
        const double out = std::min(queue + in, room);
        arrived += in;
        queue += in - out;
        outcome.dropped += std::max(queue - MEMORY, 0.0);
        queue = std::min(queue, MEMORY);
        outcome.longest = std::max(outcome.longest, queue);
        if (now >= duration / 4)
        {
            served += out;
            possible += room;
            binServed += out;
            binPossible += room;
            if (binPossible * 8 / LINK >= 1e-9 * std::max(2e6, 4 * static_cast<double>(feedback)))
            {
                outcome.leastUtilization =
                    std::min(outcome.leastUtilization, binServed / binPossible);
                binServed = binPossible = 0;
            }
        }
        marker.Update(static_cast<uint64_t>(queue));
        const double packets = in / PACKET / static_cast<double>(laws.size());
        if (marker.GetRegion() != PreEcnRegion::NORMAL && packets > 0)
        {
            const bool isFalling = trend.IsFalling(now, queue, NOTIFIER_INTERVAL);
            for (std::size_t i = 0; i < laws.size(); ++i)
            {
                const bool isSevere =
                    happens(1 - std::pow(1 - marker.GetSevereProbability(), packets));
                const bool isLight =
                    happens(1 - std::pow(1 - marker.GetLightProbability(), packets));
                const auto severity =
                    isSevere ? CongestionSeverity::SEVERE : CongestionSeverity::LIGHT;
                const FlowKey key{static_cast<uint32_t>(i), 0, 0, 0, 17};
                if ((isSevere || isLight) &&
                    gate.Pass(key, severity, now, NOTIFIER_INTERVAL, laws.size()) ==
                        NotificationVerdict::SEND)
                {
                    notifications.push_back({now, i, severity, isFalling && !loop.actsOnFalling});
                }
            }
        }
        for (; !notifications.empty() && notifications.front().mark + loop.delay <= now;
             notifications.pop_front())
        {
            const auto& told = notifications.front();
            const bool isSevere = told.severity == CongestionSeverity::SEVERE;
            const double size = isSevere ? (loop.isSevereIgnored ? 0 : SEVERE_STEP) : LIGHT_STEP;
            auto& law = laws[told.flow];
            law.Notify(settings, now, told.isFalling ? 0 : size, measure(law), feedback);
        }
        if (now >= nextTick)
        {
            nextTick += settings.recoveryInterval;
            for (auto& law : laws)
            {
                law.Update(settings, now, measure(law), isHeld(law));
            }
        }
    }
    double sum = 0;
    for (const double each : sent)
    {
        sum += each;
    }
    outcome.utilization = served / possible;
    outcome.dropped /= arrived;
    outcome.smallestShare =
        *std::min_element(sent.begin(), sent.end()) * static_cast<double>(laws.size()) / sum;
    return outcome;
}

/// Flows that would fill the link twice, from two to hundreds of them, and five that would by 5/4.
std::vector<Loop>
MakeLongFlows(int64_t delay)
{
    std::vector<Loop> loops;
    for (const bool isPaused : {true, false})
    {
        loops.push_back({delay, 5, 100e9, 0, 0, isPaused});
        loops.push_back({delay, 8, 100e9, 0, 0, isPaused});
        loops.push_back({delay, 2, 400e9, 0, 0, isPaused});
        loops.push_back({delay, 40, 20e9, 0, 0, isPaused});
        loops.push_back({delay, 400, 2e9, 0, 0, isPaused});
    }
    return loops;
}

/// A router next to the edge: the queue of the beginning is what the first delays bring, nothing is
/// lost, and then the link is never less busy by more than a few percent.
TEST(EdgeLoop, NearRouterLosesNothingAndTheLinkStaysBusy)
{
    for (const auto& loop : MakeLongFlows(100'000))
    {
        const auto outcome = Drive(loop);
        EXPECT_GT(outcome.utilization, 0.985) << loop.nFlows;
        EXPECT_GT(outcome.leastUtilization, 0.95) << loop.nFlows;
        EXPECT_EQ(outcome.dropped, 0) << loop.nFlows;
        EXPECT_LT(outcome.longest, MEMORY) << loop.nFlows;
        EXPECT_GT(outcome.smallestShare, 0.5) << loop.nFlows;
    }
}

/// The farther the router is, the later it is known what a step has done, but no delay makes the
/// loop swing ever more. What is free for longer is at most what two severe steps leave, as the
/// second one may follow before the queue falls; between steps the rates rise.
TEST(EdgeLoop, FarRouterIsStable)
{
    for (const int64_t delay : {500'000, 1'000'000, 5'000'000, 10'000'000, 20'000'000, 50'000'000})
    {
        for (const auto& [nFlows, demand] :
             {std::pair<std::size_t, double>{2, 400e9}, {8, 100e9}, {40, 20e9}})
        {
            const auto outcome = Drive({delay, nFlows, demand});
            EXPECT_GT(outcome.utilization, delay <= 1'000'000 ? 0.95 : 0.8)
                << delay << ' ' << nFlows;
            EXPECT_GT(outcome.leastUtilization, 0.75 * 0.75) << delay << ' ' << nFlows;
            EXPECT_GT(outcome.smallestShare, 0.5) << delay << ' ' << nFlows;
        }
    }
}

/// Steps that go on while the old queue drains cost five times as much of the link.
TEST(EdgeLoop, StepsWhileTheQueueFallsCostTheLink)
{
    Loop loop{100'000};
    const double idle = 1 - Drive(loop).utilization;
    loop.actsOnFalling = true;
    EXPECT_GT(1 - Drive(loop).utilization, 5 * idle);
}

/// Bursts of twice the link's rate for 1 ms, with pauses of 5 ms: 50 MB too much each, which the
/// memory holds. What is not sent in time is sent in the pause, so nearly all is sent.
TEST(EdgeLoop, ShortFlowsLoseNothing)
{
    const auto outcome = Drive({100'000, 8, 100e9, 1'000'000, 5'000'000, true});
    EXPECT_EQ(outcome.dropped, 0);
}

/// What is lost without a reaction to severe congestion is not lost with it.
TEST(EdgeLoop, SevereStepsPreventLosses)
{
    Loop loop{100'000};
    EXPECT_EQ(Drive(loop).dropped, 0);
    loop.isSevereIgnored = true;
    EXPECT_GT(Drive(loop).dropped, 0);
}
