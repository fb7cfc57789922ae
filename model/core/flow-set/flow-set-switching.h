// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_SET_SWITCHING_H
#define AIDC_FLOW_SET_SWITCHING_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/// An entry of a FlowSetTable: the fields of the draft's section 6.1.
///
/// An aggregate; value-initialized, it is an invalid entry. Aligned so that an entry never crosses
/// a cache line.
struct alignas(16) FlowSetEntry
{
    int64_t lastUsed;       //!< timestamp for aging: when a packet used it last, in ns
    uint32_t flow;          //!< flow identifier: the hash of the flow that made the entry
    uint16_t port;          //!< egress port
    uint16_t position : 15; //!< a hint: last index of the port in the candidates
    bool isValid : 1;       //!< valid bit
};

static_assert(sizeof(FlowSetEntry) == 16, "an entry takes 16 bytes");

/// The flow table: egress ports of flow sets, looked up by a flow's hash.
///
/// "The draft" is draft-li-rtgwg-congestion-aware-flowset-switching-00 (February 2026), section
/// 6.1. The table is mapped directly: flows whose hashes are equal modulo its size are one flow set
/// and share an entry. So it never fills up, and a look-up reads one cache line whatever it holds.
///
/// An entry that was not used for longer than the aging time is invalid. This is detected when it
/// is looked up or counted, without a timer. Times must not go back.
///
/// Memory (16 bytes a flow set) is allocated at the first look-up: a table that is never used costs
/// none.
class FlowSetTable
{
  public:
    /// The largest number of flow sets.
    static constexpr uint32_t MAX_SIZE = 1U << 28;
    /// Earlier than any time, without overflow in differences.
    static constexpr int64_t LONG_AGO = std::numeric_limits<int64_t>::min() / 2;

    /// Constructor.
    /// @param size the number of flow sets, a power of two, at most MAX_SIZE
    /// @param agingTime how long an unused entry stays valid, > 0 ns
    /// @throws std::invalid_argument if a value is outside its range
    FlowSetTable(uint32_t size, int64_t agingTime);

    /// Look up the entry of a flow, valid or not. now: the time in ns, >= 0. @return the entry,
    /// invalid if it is too old; the reference holds until the next Clear()
    FlowSetEntry& Get(uint32_t hash, int64_t now)
    {
        if (m_entries.empty())
        {
            m_entries.resize(GetSize());
        }
        FlowSetEntry& entry = m_entries[hash & m_mask];
        entry.isValid = IsLive(entry, now);
        return entry;
    }

    /// Note that an entry was moved. The first note allocates memory: 8 bytes a flow set. entry: an
    /// entry of this table; now: the time in ns.
    void NoteMove(const FlowSetEntry& entry, int64_t now);

    /// Forget when an entry was moved. @param entry an entry of this table
    void ForgetMove(const FlowSetEntry& entry)
    {
        if (!m_moves.empty())
        {
            m_moves[&entry - m_entries.data()] = LONG_AGO;
        }
    }

    /// Get the time when an entry was moved last. @param entry an entry of this table @return the
    /// time of the last note in ns, or LONG_AGO
    int64_t GetLastMove(const FlowSetEntry& entry) const
    {
        return m_moves.empty() ? LONG_AGO : m_moves[&entry - m_entries.data()];
    }

    /// Invalidate all entries, and give their memory back (the draft's section 7.1, step 1).
    void Clear();

    /// Count the valid entries that are not too old. This reads all entries. @param now the time in
    /// ns
    uint32_t GetOccupancy(int64_t now) const;

    /// Get the size. @return the number of flow sets
    uint32_t GetSize() const
    {
        return m_mask + 1;
    }

  private:
    /// Tell whether an entry is valid and not too old. now: the time in ns. @return true if it is
    bool IsLive(const FlowSetEntry& entry, int64_t now) const
    {
        return entry.isValid && now - entry.lastUsed <= m_agingTime;
    }

    std::vector<FlowSetEntry> m_entries; //!< the entries, by flow set; none until the first look-up
    std::vector<int64_t> m_moves;        //!< when entries were moved, in ns; none until the first
    uint32_t m_mask;                     //!< the number of flow sets, less 1
    int64_t m_agingTime;                 //!< how long an unused entry stays valid, in ns
};

/// A row of the port status table: the fields of the draft's section 6.2.
struct PortStatus
{
    uint32_t port{0};       //!< port identifier
    bool isUp{false};       //!< port status
    uint32_t cqi{0};        //!< current CQI, the budget: the advertised CQI less the migrations
    uint32_t initialCqi{0}; //!< the CQI that was advertised for this interval
    uint64_t queueDepth{0}; //!< advertised queue depth in bytes
};

/// The action on a packet's flow set (the draft's section 5.2.1).
enum class FlowSetAction : uint8_t
{
    LEARN,         //!< rule 1: there was no entry, the lightest port was learned
    REROUTE,       //!< rule 2: the entry's port was unavailable, a new one was selected
    KEEP,          //!< rule 3: the entry's port is not congested
    MIGRATE,       //!< rule 4: the entry was moved to another port
    STAY_FLOWLET,  //!< congested, but the flow set was not idle for the flowlet gap
    STAY_LIMIT,    //!< congested, but the cap of migrations a unit of time is reached
    STAY_SMALLEST, //!< congested, but no available port has a smaller CQI
    STAY_BUDGET,   //!< congested, but as many entries as the CQI allows were moved
    STAY_HELD,     //!< congested, but the entry was moved less than the hold-down ago
    STAY_OFF,      //!< congested, but rule 4 is off
    NO_PORT,       //!< no port is available
};

/// Where a packet goes, and why.
struct FlowSetDecision
{
    /// Stands for no port.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    FlowSetAction action; //!< the action on its flow set
    uint32_t port;        //!< the egress port, or NONE
    uint32_t from;        //!< the egress port of the flow set before, or NONE if it had none
    uint32_t position;    //!< index of the egress port in the candidates, if there is one
};

/// The port status table of flow-set switching, and the choice of the best port (sections 6.2
/// and 5.2.2 of draft-li-rtgwg-congestion-aware-flowset-switching-00).
///
/// Candidates are lists of port identifiers. Ports that were not added count as down.
class FlowSetPortTable
{
  public:
    /// The largest port identifier.
    static constexpr uint32_t MAX_PORT = std::numeric_limits<uint16_t>::max();

    /// Start up: the CQI of all ports is 0 (the draft's section 7.1, step 2).
    void Reset();

    /// Add a port, up and with a CQI of 0.
    /// @param port its identifier, at most MAX_PORT; a small number, as the table is indexed by it
    /// @throws std::invalid_argument if there is such a port already or the identifier is too large
    void Add(uint32_t port);

    /// @param port the identifier of a port @return whether it was added
    bool Has(uint32_t port) const;

    /// Set a port's status. isUp: true for UP, false for DOWN. @throws std::invalid_argument if
    /// there is no such port
    void SetUp(uint32_t port, bool isUp)
    {
        m_ports[Require(port)].status.isUp = isUp;
    }

    /// Take the assessment of a port at the end of an interval (the draft's section 5.1.3). The
    /// next interval begins with a new budget of migrations.
    /// @param port the port
    /// @param cqi its CQI
    /// @param queueDepth its queue depth in bytes
    /// @throws std::invalid_argument if there is no such port
    void Advertise(uint32_t port, uint32_t cqi, uint64_t queueDepth);

    /// Get a row of the table, read-only (the draft's section 9.2). @return the row, valid until
    /// the next call of Add() @throws std::invalid_argument if there is no such port
    const PortStatus& Get(uint32_t port) const
    {
        return m_ports[Require(port)].status;
    }

    /// Get how many entries were migrated from a port since its last assessment.
    /// @param port the port
    /// @return their number, at most the initial CQI (the draft's section 5.2.3), unless the
    ///         strategy is FULL_SWITCH
    /// @throws std::invalid_argument if there is no such port
    uint32_t GetMigrations(uint32_t port) const
    {
        return m_ports[Require(port)].migrations;
    }

    /// @param isByBudget whether ports are ranked by the remaining CQI, not by the assessed one
    void RankByBudget(bool isByBudget)
    {
        m_isByBudget = isByBudget;
    }

    /// @param port a port that was added
    /// @return the CQI that it was assessed with; 0 if it is not congested
    uint32_t GetInitialCqi(uint32_t port) const
    {
        return m_ports[port].status.initialCqi;
    }

    /// @param port a port that was added
    /// @return the remaining CQI: how many entries may still be migrated from it
    uint32_t GetBudget(uint32_t port) const
    {
        return m_ports[port].status.cqi;
    }

    /// @param port a port that was added, from which an entry is migrated
    void CountMigration(uint32_t port)
    {
        auto& from = m_ports[port];
        from.status.cqi -= from.status.cqi > 0 ? 1 : 0;
        ++from.migrations;
    }

    /// @param port the identifier of a port
    /// @return whether it is up; false also if there is no such port
    bool IsUp(uint32_t port) const
    {
        return port < m_ports.size() && m_ports[port].status.isUp;
    }

    /// @param port a port that was added @return the CQI that the port is ranked by
    uint32_t GetRank(uint32_t port) const
    {
        return m_isByBudget ? GetBudget(port) : GetInitialCqi(port);
    }

    /// Tell whether an available candidate has a CQI that is small enough. cqi: a candidate's rank
    /// plus the hysteresis has to be below this. @return true if there is one
    bool HasSmaller(uint32_t cqi, uint32_t hysteresis, const uint32_t* ports, uint32_t nPorts) const
    {
        for (uint32_t i = 0; i < nPorts; ++i)
        {
            if (IsUp(ports[i]) && GetRank(ports[i]) + hysteresis < cqi)
            {
                return true;
            }
        }
        return false;
    }

    /// ports: the candidates; position: where to look first, then where it is. @return true if it
    /// is among them
    static bool Locate(uint32_t port, const uint32_t* ports, uint32_t nPorts, uint32_t& position)
    {
        if (position < nPorts && ports[position] == port)
        {
            return true;
        }
        position = 0;
        while (position < nPorts && ports[position] != port)
        {
            ++position;
        }
        return position < nPorts;
    }

    /// Select the available candidate with the smallest CQI, then the smallest depth.
    /// @tparam Depth a callable: uint32_t port -> uint64_t bytes in the port's queue now
    /// @tparam Choose a callable: uint32_t n -> uint32_t from 0 to n - 1
    /// @param ports the candidates
    /// @param nPorts their number
    /// @param depth gives queue depths
    /// @param choose chooses one of n > 1 equally good ports
    /// @return its position among the candidates, or nPorts if none is available
    template <typename Depth, typename Choose>
    uint32_t SelectLightest(const uint32_t* ports,
                            uint32_t nPorts,
                            const Depth& depth,
                            const Choose& choose) const
    {
        uint32_t first = nPorts; // of the best
        uint32_t nBest = 0;
        uint32_t leastCqi = 0;
        uint64_t leastDepth = 0;
        for (uint32_t i = 0; i < nPorts; ++i)
        {
            if (!IsUp(ports[i]))
            {
                continue;
            }
            const uint32_t cqi = GetRank(ports[i]);
            if (nBest > 0 && cqi > leastCqi)
            {
                continue;
            }
            const uint64_t bytes = depth(ports[i]);
            if (nBest == 0 || cqi < leastCqi || bytes < leastDepth)
            {
                first = i;
                nBest = 1;
                leastCqi = cqi;
                leastDepth = bytes;
            }
            else if (bytes == leastDepth)
            {
                ++nBest;
            }
        }
        if (nBest <= 1)
        {
            return first;
        }
        uint32_t skip = choose(nBest);
        uint32_t i = first;
        while (skip > 0)
        {
            ++i;
            if (IsUp(ports[i]) && GetRank(ports[i]) == leastCqi && depth(ports[i]) == leastDepth)
            {
                --skip;
            }
        }
        return i;
    }

  private:
    /// A port that was added, or the place for one.
    struct Port
    {
        PortStatus status;      //!< its row of the table
        uint32_t migrations{0}; //!< entries migrated from it since its last assessment
        bool isAdded{false};    //!< false for a place without a port
    };

    /// Check that there is a port. @throws std::invalid_argument if there is no such port
    uint32_t Require(uint32_t port) const;

    std::vector<Port> m_ports; //!< the ports, by identifier
    bool m_isByBudget{false};  //!< whether ports are ranked by their remaining CQI
};

/// How a FlowSetSwitching decides where the draft leaves a choice.
struct FlowSetSwitchingSettings
{
    /// The reaction to congestion: the draft's own, or one that it argues against.
    enum Strategy : uint8_t
    {
        PROGRESSIVE, //!< as many entries an interval as the CQI says
        FULL_SWITCH, //!< all entries of a congested port (section 3.2 of the draft)
        NO_SWITCH    //!< none: an entry stays until it ages out or its port fails (section 1)
    };

    /// The reaction to congestion.
    Strategy strategy{PROGRESSIVE};
    /// Take ports that are equally good in turn, not at random (the draft's section 5.2.2, step 1).
    bool useRoundRobin{false};
    /// Rank ports by the CQI less the migrations of the interval, the literal reading of section
    /// 5.2.2 of the draft. Then a port whose budget is spent looks empty. Default: by the assessed
    /// CQI.
    bool ranksByBudget{false};
    /// A target's CQI must be smaller by at least this number plus 1. Default: 0, any smaller CQI.
    uint32_t hysteresis{0};
    /// Time after a migration for which rule 4 leaves the entry where it is, in ns, >= 0. Default:
    /// 0, none.
    int64_t holdDown{0};
    /// The least idle time of a flow set before rule 4 moves it, in ns, >= 0. Packets stay in order
    /// if the ports' delays differ by less (the draft's section 8.2). Default: 0, off.
    int64_t flowletGap{0};
    /// The most migrations in a migrationPeriod, of all ports together (the draft's section 9.1).
    /// Default: 0, none.
    uint32_t maxMigrations{0};
    /// The unit of time of maxMigrations in ns, > 0. Default: 1 s.
    int64_t migrationPeriod{1000000000};
};

/// Check the configuration of a FlowSetSwitching. @throws std::invalid_argument if a value is
/// outside its range
void CheckSettings(const FlowSetSwitchingSettings& settings);

/// Adaptive flow table migration: chooses the egress port of each packet.
///
/// Models draft-li-rtgwg-congestion-aware-flowset-switching-00 (February 2026), "the draft": flow
/// sets stay on their port until it is congested. Then some flow sets are moved; the port's CQI is
/// the most in an assessment interval. The caller assesses the ports (CongestionIndex) and
/// advertises the result at the end of each interval.
///
/// Where the draft is silent:
///  - step 3 decrements the budget of the interval; ports are ranked by the assessed CQI, because a
///    spent budget does not empty the port;
///  - the congested port may itself have the smallest CQI; its flow sets stay, which is no
///    migration and leaves the CQI as it is;
///  - a port that is no longer among the candidates is unavailable (rule 2);
///  - rule 2 leaves the CQI of the failed port as it is;
///  - rule 1's lightest port has the smallest CQI, then the shortest queue now; rules 2 and 4
///    follow section 5.2.2, which compares CQIs only.
///
/// While a flow set stays on a port that is not congested, the cost of a packet does not depend on
/// the number of ports. Otherwise each candidate is examined.
///
/// Invariants: a port's migrations and its current CQI add up to its initial CQI (not so with
/// FULL_SWITCH); a flow set is on an available port after its packet, if there is one.
class FlowSetSwitching
{
  public:
    /// Constructor. @param settings the choices @throws std::invalid_argument as CheckSettings
    explicit FlowSetSwitching(const FlowSetSwitchingSettings& settings);

    /// Change the choices, from the next packet on; the port table stays as it is.
    /// @throws std::invalid_argument as CheckSettings; nothing has changed then
    void SetSettings(const FlowSetSwitchingSettings& settings);

    /// Start up: the CQI of all ports is 0 (the draft's section 7.1, step 2). The caller does step
    /// 1: it clears its flow table.
    void Initialize();

    /// @return the port status table, to which the caller adds ports and advertises their CQIs
    FlowSetPortTable& GetPorts()
    {
        return m_ports;
    }

    /// @return the port status table
    const FlowSetPortTable& GetPorts() const
    {
        return m_ports;
    }

    /// Choose the egress port of a packet: rules 1 to 4 of the draft's section 5.2.1.
    ///
    /// It allocates memory only for the entries at the first use of a table. The entry and its
    /// timestamp are updated, unless no port is available.
    /// @tparam Depth a callable: uint32_t port -> uint64_t bytes in the port's queue now
    /// @tparam Choose a callable: uint32_t n -> uint32_t from 0 to n - 1, at random
    /// @param table the flow table; flow sets of different candidates need different tables, or
    ///        they will move each other's entries by rule 2
    /// @param hash the hash of the packet's flow
    /// @param ports the candidates; those that were not added count as down
    /// @param nPorts the number of candidates
    /// @param now the time in ns, >= 0, not before the time of any earlier call
    /// @param depth gives queue depths; asked for rule 1 only
    /// @param choose chooses one of n > 1 equally good ports; not asked if they are taken in turn
    /// @return where the packet goes
    template <typename Depth, typename Choose>
    FlowSetDecision Forward(FlowSetTable& table,
                            uint32_t hash,
                            const uint32_t* ports,
                            uint32_t nPorts,
                            int64_t now,
                            const Depth& depth,
                            const Choose& choose)
    {
        FlowSetEntry& entry = table.Get(hash, now);
        const uint32_t from = entry.isValid ? entry.port : FlowSetDecision::NONE;
        FlowSetAction action = FlowSetAction::KEEP;
        uint32_t position = entry.position;
        if (!entry.isValid)
        {
            action = FlowSetAction::LEARN;
            position = SelectLightest(ports, nPorts, depth, choose);
        }
        else if (!m_ports.IsUp(from) || !FlowSetPortTable::Locate(from, ports, nPorts, position))
        {
            action = FlowSetAction::REROUTE;
            position = SelectLightest(ports, nPorts, AnyDepth, choose);
        }
        else if (m_ports.GetInitialCqi(from) > 0)
        {
            action = TryMigrate(table, entry, ports, nPorts, now, choose, position);
        }
        if (position >= nPorts)
        {
            return {FlowSetAction::NO_PORT, FlowSetDecision::NONE, from, position};
        }
        if (action == FlowSetAction::LEARN)
        {
            entry.flow = hash;
            entry.isValid = true;
            table.ForgetMove(entry);
        }
        entry.port = static_cast<uint16_t>(ports[position]);
        entry.position = static_cast<uint16_t>(position & MAX_POSITION);
        entry.lastUsed = now;
        return {action, ports[position], from, position};
    }

  private:
    /// The largest position that an entry can remember.
    static constexpr uint32_t MAX_POSITION = (1U << 15) - 1;

    /// @return 0: the depth of each queue where depths do not count
    static uint64_t AnyDepth(uint32_t)
    {
        return 0;
    }

    /// @return the place of the best candidate, of equals one in turn or at random; nPorts if none
    template <typename Depth, typename Choose>
    uint32_t SelectLightest(const uint32_t* ports,
                            uint32_t nPorts,
                            const Depth& depth,
                            const Choose& choose)
    {
        return m_ports.SelectLightest(ports, nPorts, depth, [this, &choose](uint32_t n) {
            return m_settings.useRoundRobin ? m_turn++ % n : choose(n);
        });
    }

    /// Follow rule 4: migrate a congested port's entry, unless a reason, cheapest first, forbids.
    template <typename Choose>
    FlowSetAction TryMigrate(FlowSetTable& table,
                             const FlowSetEntry& entry,
                             const uint32_t* ports,
                             uint32_t nPorts,
                             int64_t now,
                             const Choose& choose,
                             uint32_t& position)
    {
        if (m_settings.strategy == FlowSetSwitchingSettings::NO_SWITCH)
        {
            return FlowSetAction::STAY_OFF;
        }
        if (m_settings.strategy == FlowSetSwitchingSettings::PROGRESSIVE &&
            m_ports.GetBudget(entry.port) == 0)
        {
            return FlowSetAction::STAY_BUDGET;
        }
        if (now - entry.lastUsed < m_settings.flowletGap)
        {
            return FlowSetAction::STAY_FLOWLET;
        }
        if (m_settings.holdDown > 0 && now - table.GetLastMove(entry) < m_settings.holdDown)
        {
            return FlowSetAction::STAY_HELD;
        }
        if (IsAtLimit(now))
        {
            return FlowSetAction::STAY_LIMIT;
        }
        if (!m_ports.HasSmaller(m_ports.GetRank(entry.port), m_settings.hysteresis, ports, nPorts))
        {
            return FlowSetAction::STAY_SMALLEST;
        }
        position = SelectLightest(ports, nPorts, AnyDepth, choose);
        m_ports.CountMigration(entry.port);
        if (m_settings.holdDown > 0)
        {
            table.NoteMove(entry, now);
        }
        ++m_periodMigrations;
        return FlowSetAction::MIGRATE;
    }

    /// @return whether the cap of migrations is reached in the period of now, in ns
    bool IsAtLimit(int64_t now)
    {
        if (now - m_periodStart >= m_settings.migrationPeriod)
        {
            m_periodStart = now;
            m_periodMigrations = 0;
        }
        return m_settings.maxMigrations > 0 && m_periodMigrations >= m_settings.maxMigrations;
    }

    FlowSetSwitchingSettings m_settings; //!< the choices
    FlowSetPortTable m_ports;            //!< the port status table
    uint32_t m_turn{0};                  //!< whose turn it is among equal ports
    int64_t m_periodStart{0};            //!< when the period of the cap began, in ns
    uint32_t m_periodMigrations{0};      //!< migrations in this period
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_SWITCHING_H
