/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_RECORDS_HELPER_H
#define AIDC_FLOW_RECORDS_HELPER_H

#include "flow-records.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The records of a helper that installs flows, for any transport.
class FlowRecordsHelper
{
  public:
    /// Have the simulation stop when the flows that have an end are done.
    ///
    /// It stops at the next multiple of 10 us of simulated time from now, so that the counters are
    /// the same in each simulator and with any number of ranks.
    void StopWhenDone()
    {
        m_records->StopWhenDone();
    }

    /// Gather the records of the other ranks. Each rank calls it after the simulation.
    void Gather()
    {
        m_records->Gather();
    }

    /// @return whether all flows that have an end are done, as far as this rank knows
    bool IsDone() const
    {
        return m_records->IsDone();
    }

    /// Tell whether all is done. Of several ranks (MpiRanks), each one asks at the same point,
    /// before it calls Gather(). @return whether all flows that have an end are done
    bool AreAllDone() const
    {
        return m_records->AreAllDone();
    }

    /// @return the bytes of flows with an end that were delivered to hosts of this rank, as a share
    ///         of all of their bytes, from 0 to 1
    double GetShareDone() const
    {
        return m_records->GetShareDone();
    }

    /// @return the records of flows, in the order in which they were installed
    const std::vector<FlowRecord>& GetRecords() const
    {
        return m_records->Get();
    }

    /// @return the payload delivered so far, over all flows, in bytes
    uint64_t GetDeliveredBytes() const
    {
        return m_records->GetDeliveredBytes();
    }

  protected:
    FlowRecordsHelper() = default;
    ~FlowRecordsHelper() = default;

    Ptr<FlowRecords> m_records{Create<FlowRecords>()}; //!< the records
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_RECORDS_HELPER_H
