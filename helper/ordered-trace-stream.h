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
 * @brief A stream that several nodes write to. What is written is in the order of time; at the same
 *        time it is in the order of nodes, and of what each has written.
 *
 * TimeWindowSimulatorImpl runs nodes one after the other, so that between two of them time goes
 * back by up to the lookahead. Rows are kept for so long; in ns-3's default simulator, until the
 * next instant with a row. The last ones are written by Simulator::Destroy().
 */
class OrderedTraceStream : public SimpleRefCount<OrderedTraceStream>
{
  public:
    /// @param stream where to
    explicit OrderedTraceStream(Ptr<OutputStreamWrapper> stream);

    /// @return the stream that is written to
    Ptr<OutputStreamWrapper> GetStream() const;

    /// Write something at the present time.
    /// @param node the ID of the node that writes
    /// @param row what it writes
    void Add(uint32_t node, const std::string& row);

  private:
    /// Write all that is kept.
    void Flush();

    /// Write what is kept first.
    void WriteFirst();

    Ptr<OutputStreamWrapper> m_stream; //!< where to
    /// What is kept, by time and node.
    std::multimap<std::pair<Time, uint32_t>, std::string> m_rows;
    Time m_latest;             //!< the latest time at which something was written
    bool m_isScheduled{false}; //!< whether Simulator::Destroy() writes the last rows
};

} // namespace ns3::aidc

#endif // AIDC_ORDERED_TRACE_STREAM_H
