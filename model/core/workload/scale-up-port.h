// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SCALE_UP_PORT_H
#define AIDC_SCALE_UP_PORT_H

#include "../multiply-divide.h"
#include "../never.h"
#include "../require-argument.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

/// @file
/// Ports of the scale-up switch of a server (NVLink). Times are in ps, because a segment takes some
/// 100 ns: whole ns would change the rate.

namespace ns3::aidc
{

/// @return the time of at most ScaleUpEgress::MAX_SEGMENT bytes at a rate in bit/s, in ps, rounded
/// up
inline int64_t
GetScaleUpTime(uint64_t nBytes, uint64_t rate)
{
    constexpr uint64_t PS_PER_S = 1000000000000;
    return static_cast<int64_t>(MultiplyDivideUp(8 * nBytes, PS_PER_S, rate));
}

/// @throws std::invalid_argument if a rate is 0 bit/s
inline void
CheckScaleUpRate(uint64_t rate)
{
    AIDC_REQUIRE(rate > 0, "expected a scale-up rate above 0, found 0 bit/s");
}

/// A segment of a message, as an egress port sends it.
struct ScaleUpSegment
{
    uint32_t flow{0};   //!< the flow of the message
    uint64_t nBytes{0}; //!< its bytes
    int64_t start{0};   //!< when its first bit leaves, ps
    int64_t end{0};     //!< when its last bit has left, ps
    bool isLast{false}; //!< whether it is the last one of its message
};

/// The egress port of a GPU to the scale-up switch: cuts messages into segments, and sends
/// the segments of flows in turn.
///
/// A flow keeps its messages in order. A flow is the messages for one peer, or the messages of one
/// sender that the peer relays.
class ScaleUpEgress
{
  public:
    /// The largest segment, so that its bits in ps fit into 64 bits.
    static constexpr uint64_t MAX_SEGMENT = 1U << 20;

    /// rate: bit/s, above 0; segmentSize: the most bytes of a segment, from 1 to MAX_SEGMENT.
    /// @throws std::invalid_argument if a value is out of range
    ScaleUpEgress(uint64_t rate, uint64_t segmentSize)
        : m_rate(rate),
          m_segmentSize(segmentSize)
    {
        CheckScaleUpRate(rate);
        AIDC_REQUIRE(segmentSize > 0 && segmentSize <= MAX_SEGMENT,
                     "expected scale-up segments of 1 to " + std::to_string(MAX_SEGMENT) +
                         " bytes, found " + std::to_string(segmentSize));
    }

    /// Add a message after the other messages of its flow. nBytes: from 0 on; a message without
    /// bytes is a segment without bytes; now: the time in ps, which never decreases.
    void Add(uint32_t flow, uint64_t nBytes, int64_t now)
    {
        auto& messages = m_flows[flow];
        if (messages.empty())
        {
            m_turns.push_back(flow);
        }
        messages.push_back({nBytes, now});
    }

    /// @return whether all segments have been taken
    bool IsEmpty() const
    {
        return m_turns.empty();
    }

    /// Get the start of the next segment. @return the time in ps; NEVER if there is none
    int64_t GetNextStart() const
    {
        return IsEmpty() ? NEVER : std::max(m_free, m_flows.at(m_turns.front()).front().since);
    }

    /// Take the next segment, when it starts. There must be one.
    ScaleUpSegment Take()
    {
        ScaleUpSegment segment;
        segment.start = GetNextStart();
        segment.flow = m_turns.front();
        m_turns.pop_front();
        auto& messages = m_flows[segment.flow];
        Message& message = messages.front();
        segment.nBytes = std::min(message.nLeft, m_segmentSize);
        segment.end = segment.start + GetScaleUpTime(segment.nBytes, m_rate);
        message.nLeft -= segment.nBytes;
        segment.isLast = message.nLeft == 0;
        if (segment.isLast)
        {
            messages.pop_front();
        }
        if (messages.empty())
        {
            m_flows.erase(segment.flow);
        }
        else
        {
            m_turns.push_back(segment.flow);
        }
        m_free = segment.end;
        return segment;
    }

  private:
    /// A message that has not left completely.
    struct Message
    {
        uint64_t nLeft; //!< bytes that have not left
        int64_t since;  //!< when it was added, ps
    };

    uint64_t m_rate;                                 //!< bit/s
    uint64_t m_segmentSize;                          //!< the most bytes of a segment
    std::map<uint32_t, std::deque<Message>> m_flows; //!< the messages of flows that have some
    std::deque<uint32_t> m_turns;                    //!< these flows, the next one first
    int64_t m_free{0};                               //!< when the port is free, ps
};

/// The ingress port of a GPU from the scale-up switch: segments come in one after another, in the
/// order of their first bits, at the rate of the port.
class ScaleUpIngress
{
  public:
    /// rate: bit/s. @throws std::invalid_argument if it is 0
    explicit ScaleUpIngress(uint64_t rate)
        : m_rate(rate)
    {
        CheckScaleUpRate(rate);
    }

    /// Take a segment. It passes through the switch bit by bit (cut-through).
    /// @param first when its first bit arrives, ps; it does not decrease from call to call
    /// @param last when its last bit would arrive if nothing else did, ps
    /// @param nBytes its bytes
    /// @return when its last bit has come in, ps: not before last, nor before the port has taken
    ///         all bytes up to it
    int64_t Take(int64_t first, int64_t last, uint64_t nBytes)
    {
        m_free = std::max(m_free, first) + GetScaleUpTime(nBytes, m_rate);
        return std::max(m_free, last);
    }

  private:
    uint64_t m_rate;   //!< bit/s
    int64_t m_free{0}; //!< when the port is free, ps
};

} // namespace ns3::aidc

#endif // AIDC_SCALE_UP_PORT_H
