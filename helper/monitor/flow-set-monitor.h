// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_SET_MONITOR_H
#define AIDC_FLOW_SET_MONITOR_H

#include "ns3/flow-set-selector.h"
#include "ns3/process-gather.h"
#include "ns3/result-file.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Watches flow-set switching, and checks that no port loses more flow sets in an assessment
/// interval than its CQI allows (draft-li-rtgwg-congestion-aware-flowset-switching-00,
/// section 5.2.3).
///
/// It counts on its own, from the traces of assessments and migrations. The monitor must outlive
/// the simulation. With several processes (MpiProcesses), each one adds its own switches, and reads
/// the results of all at the same points.
class FlowSetMonitor
{
  public:
    FlowSetMonitor() = default;

    FlowSetMonitor(const FlowSetMonitor&) = delete;
    FlowSetMonitor& operator=(const FlowSetMonitor&) = delete;

    /// Watch a switch.
    /// @param selector its flow-set switching
    /// @param names the names of the ports that WriteSeries() writes, by interface; empty for
    ///        others
    void Add(Ptr<FlowSetSelector> selector, const std::vector<std::string>& names = {});

    /// @param begin the earliest time of a row, 0 by default
    void SetSeriesBegin(Time begin)
    {
        m_seriesBegin = begin;
    }

    /// Write the CQIs of the named ports, after the simulation.
    ///
    /// The columns are: `time_s`, `port`, `cqi`, `queue_byte`. There is a row for each named port
    /// and assessment, in time order, then by name.
    /// @param path the file, written anew
    /// @throws std::runtime_error when it cannot be written
    void WriteSeries(const std::string& path) const
    {
        m_rows.Write(path, "time_s,port,cqi,queue_byte");
    }

    /// @return the number of flow sets that have migrated because of congestion (rule 4)
    uint64_t GetMigrations() const
    {
        return SumOverProcesses(m_migrations.size());
    }

    /// Get the migrations of a period.
    /// @param begin its beginning
    /// @param end its end, which is not part of it
    /// @return the number of migrations
    uint64_t GetMigrations(Time begin, Time end) const;

    /// @return the number of flow sets that have left a port that failed (rule 2)
    uint64_t GetReroutes() const
    {
        return SumOverProcesses(m_reroutes);
    }

    /// @return migrations beyond a port's CQI in an interval; 0 if the draft's rule holds
    uint64_t GetBoundViolations() const
    {
        return SumOverProcesses(m_violations);
    }

    /// @return the number of intervals of ports in which flow sets have migrated
    uint64_t GetIntervals() const
    {
        return SumOverProcesses(m_intervals);
    }

    /// @return the number of migrations that the CQIs of those intervals would have allowed
    uint64_t GetAllowedMigrations() const
    {
        return SumOverProcesses(m_allowed);
    }

  private:
    /// A port in its present interval.
    struct Port
    {
        uint32_t cqi{0};        //!< the CQI that was advertised
        uint32_t migrations{0}; //!< the migrations since then
    };

    /// The ports of a switch by interface, which grow as callbacks ask for them
    using Ports = std::vector<Port>;

    static Port& GetPort(Ports& ports, uint32_t interface);

    void Migrate(Ports& ports, const FlowSetMigration& migration);

    std::deque<Ports> m_switches;   //!< the switches; callbacks point at them
    Time m_seriesBegin;             //!< when the series begins
    MonitorSeriesRows m_rows;       //!< the series
    std::vector<Time> m_migrations; //!< by rule 4, when
    uint64_t m_reroutes{0};         //!< by rule 2
    uint64_t m_violations{0};       //!< beyond the bound
    uint64_t m_intervals{0};        //!< intervals with migrations
    uint64_t m_allowed{0};          //!< migrations that their CQIs allowed
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_MONITOR_H
