// SPDX-License-Identifier: GPL-2.0-only

#include "silicon-network.h"
#include "silicon-rows.h"

#include "ns3/priority-flow-control-helper.h"
#include "ns3/simulator.h"
#include "ns3/switch-chip.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// A frame of 64 bytes, which takes a cell
constexpr uint32_t SMALL_PACKET = 46;

/// More frames than any memory has
constexpr uint64_t ENDLESS = 1000000000;

/// The receiver blocks its port before frames come
const Time BLOCKED = MicroSeconds(20);

/// In what steps of time a procedure looks whether it is over
const Time STEP = MicroSeconds(50);

/// No procedure takes longer
const Time LATEST = MilliSeconds(200);

constexpr uint32_t LOSSLESS = 3; //!< a lossless class, as in SONiC's tests
constexpr uint32_t LOSSY = 1;    //!< a lossy class

/// Fills accounts, two a port of the switch, by frames to the last port, which is blocked.
class Filling
{
  public:
    Filling(const ExperimentOptions& options,
            const std::string& chip,
            const SwitchChipMeasurement& measured)
        : m_accounts(measured.accounts),
          m_ports((measured.accounts + 1) / 2)
    {
        SiliconSetup setup;
        setup.chip = chip + ":" + measured.profile;
        setup.ports = m_ports + 1;
        m_network = std::make_unique<SiliconNetwork>(options, setup);
        m_charge = m_network->GetCharge(SMALL_PACKET);
        for (const uint32_t priority : {LOSSY, LOSSLESS, LOSSLESS + 1})
        {
            m_network->SetBlocked(m_ports, priority, true);
        }
        SiliconNetwork::Run(BLOCKED);
    }

    /// Fill accounts one after the other. @return frames of each when it was paused
    std::vector<uint64_t> FillInTurn()
    {
        std::vector<uint64_t> frames(m_accounts, 0);
        for (uint32_t i = 0; i < m_accounts; ++i)
        {
            Watch(i, [this, i, &frames] {
                frames[i] =
                    m_network->GetAccount(i / 2, LOSSLESS + i % 2)->GetOccupancy() / m_charge;
                m_network->GetTester(i / 2).SetLeft(m_streams.back(), 0);
            });
            Start(i);
            RunUntil([&] { return frames[i] > 0; });
        }
        return frames;
    }

    /// Fill accounts evenly. @return whole rounds of frames when the first one was paused
    uint64_t FillEvenly()
    {
        uint64_t round = 0;
        bool isOver = false;
        for (uint32_t i = 0; i < m_accounts; ++i)
        {
            Watch(i, [&isOver] { isOver = true; });
            Start(i, 0);
        }
        while (!isOver && round < ENDLESS)
        {
            for (uint32_t i = 0; i < m_accounts; ++i)
            {
                m_network->GetTester(i / 2).SetLeft(m_streams[i], 1);
            }
            SiliconNetwork::Run(NanoSeconds(200));
            round += isOver ? 0 : 1;
        }
        return round;
    }

    /// Fill the first account and its headroom. @return frames when one is lost
    uint64_t FillHeadroom()
    {
        uint64_t frames = 0;
        m_network->GetPort(m_ports).TraceConnectWithoutContext(
            "DropBeforeEnqueue",
            DropListener([this, &frames](Ptr<const QueueDiscItem>, const char*) {
                if (frames == 0)
                {
                    frames = m_network->GetAccount(0, LOSSLESS)->GetOccupancy() / m_charge;
                    m_network->GetTester(0).SetLeft(m_streams.back(), 0);
                }
            }));
        Start(0);
        RunUntil([&] { return frames > 0; });
        return frames;
    }

    /// Fill accounts and then their headroom in turn. @return frames in the last one's headroom
    uint64_t FillLastHeadroom()
    {
        FillInTurn();
        for (uint32_t i = 0; i < m_accounts; ++i)
        {
            const auto account = m_network->GetAccount(i / 2, LOSSLESS + i % 2);
            Start(i);
            const uint64_t before = account->GetRefused();
            RunUntil([&] { return account->GetRefused() > before; });
            m_network->GetTester(i / 2).SetLeft(m_streams.back(), 0);
            SiliconNetwork::Run(STEP);
        }
        const uint32_t last = m_accounts - 1;
        return m_network->GetAccount(last / 2, LOSSLESS + last % 2)->GetHeadroomPeak() / m_charge;
    }

    /// Fill a lossy queue. @return frames when one is lost
    uint64_t FillQueue()
    {
        uint64_t frames = 0;
        auto& queue = m_network->GetQueue(m_ports, LOSSY);
        queue.TraceConnectWithoutContext("Drop",
                                         DropListener([&](Ptr<const QueueDiscItem>, const char*) {
                                             if (frames == 0)
                                             {
                                                 frames = queue.GetNPackets();
                                                 m_network->GetTester(0).SetLeft(m_streams.back(),
                                                                                 0);
                                             }
                                         }));
        Start(0, ENDLESS, LOSSY);
        RunUntil([&] { return frames > 0; });
        return frames;
    }

    /// Fill the first account, and drain it. @return frames from XOFF to where it goes on
    uint64_t Resume()
    {
        FillInTurn();
        const auto account = m_network->GetAccount(0, LOSSLESS);
        uint64_t distance = 0;
        account->TraceConnectWithoutContext("Xoff", Callback<void, bool>([&](bool xoff) {
                                                if (!xoff && distance == 0)
                                                {
                                                    distance = (account->GetXoffThreshold() -
                                                                account->GetOccupancy()) /
                                                               m_charge;
                                                }
                                            }));
        m_network->SetBlocked(m_ports, LOSSLESS, false);
        RunUntil([&] { return distance > 0; });
        return distance;
    }

  private:
    /// Send frames of account i.
    void Start(uint32_t i, uint64_t frames = ENDLESS, uint32_t priority = 0)
    {
        const uint32_t own = priority > 0 ? priority : LOSSLESS + i % 2;
        m_streams.push_back(m_network->Send(i / 2, m_ports, {own, SMALL_PACKET, frames}));
    }

    /// Call a function when an account is paused.
    void Watch(uint32_t i, std::function<void()> act) const
    {
        m_network->GetAccount(i / 2, LOSSLESS + i % 2)
            ->TraceConnectWithoutContext("Xoff", Callback<void, bool>([act](bool xoff) {
                                             if (xoff)
                                             {
                                                 act();
                                             }
                                         }));
    }

    /// Simulate until a condition holds, or too much time has passed.
    template <typename IsOver>
    void RunUntil(IsOver isOver) const
    {
        const Time end = Simulator::Now() + LATEST;
        while (!isOver() && Simulator::Now() < end)
        {
            SiliconNetwork::Run(STEP);
        }
    }

    uint32_t m_accounts;                       //!< the accounts
    uint32_t m_ports;                          //!< ports that send; the next one is blocked
    std::unique_ptr<SiliconNetwork> m_network; //!< the switch
    uint64_t m_charge{1};                      //!< memory of a frame
    std::vector<uint32_t> m_streams;           //!< streams of the testers
};

/// What a measurement gives.
struct Filled
{
    std::string quantity;       //!< what is measured
    const char* how;            //!< how it is made, for people
    std::vector<uint64_t> ours; //!< frames
};

/// Make a measurement.
Filled
Fill(Filling& filling, const SwitchChipMeasurement& measured)
{
    const std::string n = std::to_string(measured.accounts);
    switch (measured.kind)
    {
    case SwitchChipMeasurement::PAUSE_IN_TURN:
        return {"pause of account ",
                "accounts filled in turn until each is paused",
                filling.FillInTurn()};
    case SwitchChipMeasurement::PAUSE_EQUAL:
        return {"pause, equal accounts: " + n,
                "accounts filled evenly until one is paused",
                {filling.FillEvenly()}};
    case SwitchChipMeasurement::INGRESS_DROP:
        return {"pause and headroom",
                "an account filled until a frame is lost",
                {filling.FillHeadroom()}};
    case SwitchChipMeasurement::EGRESS_DROP:
        return {"lossy queue", "a lossy queue filled until a frame is lost", {filling.FillQueue()}};
    case SwitchChipMeasurement::LAST_HEADROOM:
        return {"headroom left for account " + n,
                "headroom of accounts filled in turn until each loses a frame",
                {filling.FillLastHeadroom()}};
    default:
        return {"XON below XOFF",
                "a full account drained until its peer goes on",
                {filling.Resume()}};
    }
}

/// Add the rows of a measurement.
void
Measure(const ExperimentOptions& options,
        const std::string& chip,
        const SwitchChipMeasurement& measured,
        std::vector<SiliconRow>& rows)
{
    Filling filling(options, chip, measured);
    const auto [quantity, how, ours] = Fill(filling, measured);
    for (std::size_t i = 0; i < measured.frames.size(); ++i)
    {
        const bool isInTurn = measured.kind == SwitchChipMeasurement::PAUSE_IN_TURN;
        rows.push_back(
            {measured.profile + ": " + quantity + (isInTurn ? std::to_string(i + 1) : ""),
             how,
             static_cast<double>(measured.frames[i]),
             static_cast<double>(ours[i]),
             measured.tolerance,
             "frame",
             measured.source,
             measured.note});
    }
}

/// How far a derived headroom may be from the published one, as a share
constexpr double JUDGED = 0.05;

/// @return what derives headroom
PriorityFlowControlHelper
MakeHelper()
{
    PriorityFlowControlHelper helper;
    helper.SetPriorities({LOSSLESS});
    return helper;
}

/// @return whether a headroom's product has the same headroom for all its links, three or more
bool
HasOneForAll(const std::vector<SwitchChipHeadroom>& all, std::size_t i)
{
    const auto isOwn = [&](const auto& other) { return other.source == all[i].source; };
    return std::count_if(all.begin(), all.end(), isOwn) >= 3 &&
           std::all_of(all.begin(), all.end(), [&](const auto& other) {
               return !isOwn(other) || other.bytes == all[i].bytes;
           });
}

/// @return why published headroom i says nothing against a derivation; empty if there is no reason
std::string
FindExcuse(const SwitchChip& chip, const std::vector<double>& ours, std::size_t i)
{
    if (!chip.GetResponseTime())
    {
        return "the response time is not known";
    }
    const auto& all = chip.GetHeadrooms();
    bool coversMore = false;
    for (std::size_t j = 0; j < all.size(); ++j)
    {
        const bool isSame = all[j].bytes == all[i].bytes;
        coversMore = coversMore || (isSame && ours[j] > ours[i] && !HasOneForAll(all, j));
    }
    if (HasOneForAll(all, i))
    {
        return "the product has one headroom for all its links";
    }
    return coversMore ? "it is for a longer or faster link" : "";
}

} // namespace

std::vector<SiliconRow>
MeasureThresholds(const ExperimentOptions& options, const std::string& name)
{
    std::vector<SiliconRow> rows;
    const auto chip = SwitchChip::Find(name);
    for (const auto& measured : chip->GetMeasurements())
    {
        // The small variant leaves out what takes long.
        const bool isLong = measured.accounts > 4 || measured.frames.front() > 21000;
        if (!options.small || !isLong)
        {
            Measure(options, chip->GetFile(), measured, rows);
        }
    }
    return rows;
}

std::vector<SiliconRow>
DeriveHeadroom(const ExperimentOptions& options, const std::string& name)
{
    const auto chip = SwitchChip::Find(name);
    const auto& all = chip->GetHeadrooms();
    std::vector<double> ours;
    for (const auto& published : all)
    {
        SiliconSetup setup;
        setup.chip = name;
        setup.rate = published.rate;
        setup.delay = NanoSeconds(std::llround(published.meters * SwitchChip::NANOSECONDS_A_METER));
        setup.lossless = {LOSSLESS};
        setup.headroom = 1; // what is derived is asked here
        const SiliconNetwork network(options, setup);
        const PriorityFlowControlHelper helper = MakeHelper();
        ours.push_back(static_cast<double>(helper.GetHeadroom(network.GetDevice(0)).GetSum()));
    }
    std::vector<SiliconRow> rows;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const auto bytes = static_cast<double>(all[i].bytes);
        const std::string why = FindExcuse(*chip, ours, i);
        std::ostringstream note;
        note.precision(3);
        note << "published / ours " << bytes / ours[i] << (why.empty() ? "" : "; ") << why;
        rows.push_back({"headroom of " + std::to_string(all[i].rate.GetBitRate() / 1000000000) +
                            " Gb/s, " + std::to_string(all[i].meters) + " m",
                        "derived from rate, cable, cells and response time",
                        bytes,
                        ours[i],
                        why.empty() ? JUDGED * bytes : -1,
                        "byte",
                        all[i].source,
                        note.str()});
    }
    return rows;
}

} // namespace ns3::aidc
