/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_TIMEOUT_H
#define AIDC_ROCE_TIMEOUT_H

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief How long a requester waits for an answer before it takes packets for lost.
 *
 * There are two timeouts, as of IRN (R. Mittal et al., SIGCOMM 2018, section 3.1). The high one is
 * the longest round-trip time with one congested link: that of the idle path, and what a full
 * buffer holds. The low one is for few packets in flight, of which a spurious repetition costs
 * little: IRN has 100 us, over paths of 24 us.
 *
 * Beyond IRN, which never gives a connection up, because each timeout uses up an attempt:
 * - No timeout is shorter than what RFC 6298 computes from the round-trip times measured so far.
 *   Several buffers fill one after the other where links are lossless.
 * - The low one is for the first attempt only, and each further attempt waits twice as long, and a
 *   part of that more, which differs from connection to connection: those that have lost packets
 *   together would otherwise all send again together, and lose them. Adapters double their
 *   timeouts, too, and InfiniBand lets a timer run for up to four times its value. As of RFC 6298
 *   that ends when a packet is acknowledged that was first sent later.
 *
 * Of a path that is not known, the least round-trip time that was measured is that of the idle
 * path. Timeouts that the user sets hold as they are.
 */
class RoceTimeout
{
  public:
    /// The timeout as long as the path is not known at all: that of adapters, 4.096 us * 2^14, in
    /// ns.
    static constexpr int64_t UNKNOWN = int64_t{4096} << 14;

    /// What it is computed from. Times are in ns.
    struct Settings
    {
        int64_t baseRtt{0};          //!< round-trip time of the idle path; 0 if it is not known
        int64_t queueing{0};         //!< what a full buffer adds
        std::optional<int64_t> high; //!< the high timeout, if the user has set it
        std::optional<int64_t> low;  //!< the low timeout, if the user has set it
        uint64_t lowPackets{0};      //!< the most packets in flight for the low timeout
        uint64_t seed{0};            //!< tells connections from each other
    };

    /// @param settings what it is computed from
    explicit RoceTimeout(const Settings& settings);

    /// @param settings what it is computed from
    /// @return the high timeout of the first attempt in ns, as if the user had not set it
    static int64_t GetHigh(const Settings& settings);

    /// @param settings what it is computed from
    /// @return the low timeout in ns, as if the user had not set it
    static int64_t GetLow(const Settings& settings);

    /// @param nPackets packets in flight
    /// @return the timeout in ns
    int64_t Get(uint64_t nPackets) const;

    /// @param rtt that of a packet that was sent once, in ns
    void NotifyRtt(int64_t rtt);

    /// @param next the number of the next packet that was never sent
    void NotifyTimeout(uint64_t next);

    /// @param unacknowledged the number of the oldest packet that is not acknowledged
    void NotifyProgress(uint64_t unacknowledged)
    {
        if (unacknowledged > m_next)
        {
            m_nTimeouts = 0;
            m_part = 0;
        }
    }

  private:
    Settings m_settings;     //!< what it is computed from, with the measured round-trip time
    uint64_t m_draws;        //!< what the next part is made of
    double m_part{0};        //!< the part that the next timeout is longer by, below 1
    bool m_isMeasured;       //!< whether the idle path is not known
    int64_t m_smoothed{0};   //!< average of round-trip times, ns; 0 before the first one
    int64_t m_variation{0};  //!< average of their distances to it, ns
    uint32_t m_nTimeouts{0}; //!< timeouts since the last packet that did not meet one
    uint64_t m_next{0};      //!< NotifyTimeout()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_TIMEOUT_H
