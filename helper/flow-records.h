// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_RECORDS_H
#define AIDC_FLOW_RECORDS_H

#include "../model/core/fabric/fabric-elements.h"

#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The record of a flow.
struct FlowRecord
{
    FlowSpec spec;             //!< the flow
    uint64_t receivedBytes{0}; //!< payload delivered to the receiving application
    bool isDone{false};        //!< whether all bytes were delivered
    Time finish;               //!< when the last byte was delivered; 0 if not done
    Time fct;                  //!< flow completion time, from start to finish; 0 if not done
    Time idealFct;             //!< the completion time of the flow alone; 0 if it has no end
    double slowdown{0};        //!< fct over idealFct; 0 if not done
};

/// The records of flows, for any transport.
///
/// In time windows, each record is written by events of the flow's destination only.
class FlowRecords : public SimpleRefCount<FlowRecords>
{
  public:
    /// @param flow the flow; a flow of 0 bytes never ends
    /// @param idealFct its completion time alone, 0 if it has no end
    /// @return its index
    uint32_t Add(const FlowSpec& flow, Time idealFct);

    /// @param index the index of the flow
    /// @param nBytes the payload
    void AddDelivered(uint32_t index, uint64_t nBytes);

    /// @param index the index of a flow whose source has given up, so that it will not be done
    /// @param cause why
    void NoteFailure(uint32_t index, const std::string& cause);

    /// Have the simulation stop when the flows that have an end are done, at a multiple of 10 us
    /// from now.
    ///
    /// It also stops when all others have failed, or nothing is scheduled any more. A line on the
    /// standard error stream then names flows that are not done, and why.
    void StopWhenDone();

    /// Gather the records of the other processes (MpiProcesses). Each process calls it after the
    /// simulation.
    void Gather();

    /// @return whether all flows that have an end are done, as far as this process knows
    bool IsDone() const
    {
        return m_nDone == m_nWithEnd;
    }

    /// Tell whether all is done. With several processes (MpiProcesses), each one asks at the same
    /// point, before it calls Gather().
    /// @return whether all flows that have an end are done
    bool AreAllDone() const;

    /// Tell whether there is a flow that will not be done, because its source has given up. With
    /// several processes (MpiProcesses), each one asks at the same point. @return whether there is
    /// one
    bool HasFailed()
    {
        return CountFailed() > 0;
    }

    /// @param cause why flows are not done whose source has not given up
    /// @return the flows that are not done, and the reasons, in one line
    std::string DescribeUnfinished(const std::string& cause) const;

    /// @return the bytes of flows with an end that were delivered to hosts of this process, as a
    ///         share of all of their bytes, from 0 to 1
    double GetShareDone() const
    {
        return GetShareOfBytes(m_records);
    }

    /// @return the share of the bytes of flows with an end that were delivered, from 0 to 1
    static double GetShareOfBytes(const std::vector<FlowRecord>& records);

    /// @return the records, in the order of Add()
    const std::vector<FlowRecord>& Get() const
    {
        return m_records;
    }

    /// Get the payload delivered so far, over all flows. @return the bytes
    uint64_t GetDeliveredBytes() const;

    /// Compute how long packets need, back to back, through links and the store-and-forward
    /// switches between them, until the last one is delivered.
    ///
    /// With n packets, P bits in a full one and L in the last one, the last packet but one has
    /// completely passed link j at
    ///
    /// F(j) = P / r(1) + ... + P / r(j)  +  (n - 2) * P / min(r(1), ..., r(j))
    ///
    /// because equal packets queue only before the slowest link so far, and the last one at
    ///
    /// E(j) = max(E(j - 1), F(j)) + L / r(j),  E(0) = 0.
    ///
    /// A packet has arrived before the gap that follows it. So each link delivers it earlier by the
    /// time of the gap, and the next link can begin earlier by this time.
    /// @param path the links
    /// @param nPackets the packets, at least 1
    /// @param fullBytes bytes of a full packet on a link, with the gap
    /// @param lastBytes bytes of the last packet on a link, with the gap
    /// @param gap bytes of the gap
    /// @return E of the last link without the gaps of all links, in s, to which the delays of the
    ///         links are to be added
    static double GetPipelineSeconds(const std::vector<FabricLink>& path,
                                     uint64_t nPackets,
                                     double fullBytes,
                                     double lastBytes,
                                     double gap = 0);

    /// Compute the same if packets may take different but equal paths between the first and the
    /// last link.
    ///
    /// Between these links, packets do not delay each other, and a short last packet may arrive
    /// before earlier ones. No network of such links can be faster, whatever paths it chooses. For
    /// n packets, if the last one arrives at the last link (number m) at time A, and the one before
    /// at B, with F = P / r(1) + ... + P / r(m) + (n - 2) * P / min(r(1), r(m)), this is
    ///
    /// max(A, F) + L / r(m),  or, if A < B,  max(F, A + L / r(m)).
    ///
    /// The path is one of these paths, and all else is as for GetPipelineSeconds(). @return the
    /// time in s
    static double GetSpreadSeconds(const std::vector<FabricLink>& path,
                                   uint64_t nPackets,
                                   double fullBytes,
                                   double lastBytes,
                                   double gap = 0);

    /// @return the sum of their delays, in s
    static double GetDelaySeconds(const std::vector<FabricLink>& path);

  private:
    /// Stop the simulation if all flows that have an end are done, or check again later.
    void LookWhetherDone();

    /// @param text what another process knows of its flows, as Gather() writes it
    void Merge(const std::string& text);

    /// @return the flows whose source has given up, of all processes, which ask at the same point
    std::size_t CountFailed();

    /// @return the flows whose source has given up, and the reasons, a line each
    std::string WriteFailures() const;

    /// @param text what WriteFailures() has written in another process
    void ReadFailures(std::istream& text);

    /// record: a flow that is done; time: when its last byte arrived.
    void Finish(FlowRecord& record, Time time);

    std::vector<FlowRecord> m_records; //!< a record for each flow
    std::size_t m_nWithEnd{0};         //!< flows that have an end
    std::size_t m_nDone{0};            //!< flows that are done, as this process knows

    /// By flow, the reason why its source has given up. Such a flow may still be done.
    std::map<uint32_t, std::string> m_failures;
};

/// The records of a helper that installs flows, for any transport.
class FlowRecordsHelper
{
  public:
    /// Have the simulation stop when the flows that have an end are done.
    ///
    /// It stops at the next multiple of 10 us of simulated time from now, so that the counters are
    /// the same in each simulator and with any number of processes.
    void StopWhenDone()
    {
        m_records->StopWhenDone();
    }

    /// Gather the records of the other processes. Each process calls it after the simulation.
    void Gather()
    {
        m_records->Gather();
    }

    /// @return whether all flows that have an end are done, as far as this process knows
    bool IsDone() const
    {
        return m_records->IsDone();
    }

    /// Tell whether all is done. With several processes (MpiProcesses), each one asks at the same
    /// point, before it calls Gather(). @return whether all flows that have an end are done
    bool AreAllDone() const
    {
        return m_records->AreAllDone();
    }

    /// @return the bytes of flows with an end that were delivered to hosts of this process, as a
    ///         share of all of their bytes, from 0 to 1
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

#endif // AIDC_FLOW_RECORDS_H
