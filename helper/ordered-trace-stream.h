/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ORDERED_TRACE_STREAM_H
#define AIDC_ORDERED_TRACE_STREAM_H

#include "ns3/nstime.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A stream for rows of several nodes, which it writes in time order. Rows of the same
 *        time are in the order of nodes, rows of a node in the order of Add().
 *
 * TimeWindowSimulatorImpl runs nodes one after the other, so that time goes back between two nodes
 * by up to the lookahead. Rows are kept for this time; in ns-3's default simulator, until the next
 * instant with a row. Simulator::Destroy() writes the last rows.
 */
class OrderedTraceStream : public SimpleRefCount<OrderedTraceStream>
{
  public:
    /// @param stream the stream to write to
    explicit OrderedTraceStream(Ptr<OutputStreamWrapper> stream);

    /// @return the stream that is written to
    Ptr<OutputStreamWrapper> GetStream() const;

    /// Add a row at the present time.
    /// @param node the ID of the node that writes
    /// @param row the row
    void Add(uint32_t node, const std::string& row);

  private:
    /// Write all rows.
    void Flush();

    /// Write the first row.
    void WriteFirst();

    Ptr<OutputStreamWrapper> m_stream; //!< the stream to write to
    /// The rows that are not written yet, by time and node.
    std::multimap<std::pair<Time, uint32_t>, std::string> m_rows;
    Time m_latest;             //!< the latest time of a row
    bool m_isScheduled{false}; //!< whether Simulator::Destroy() writes the last rows
};

} // namespace ns3::aidc

#endif // AIDC_ORDERED_TRACE_STREAM_H
