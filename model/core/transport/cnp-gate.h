/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CNP_GATE_H
#define AIDC_CNP_GATE_H

#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/**
 * @brief DCQCN's notification point: decides which marked packets of a flow are answered by a
 * congestion notification packet (CNP).
 *
 * The first marked packet is answered at once, then at most one in an interval (Zhu et al.,
 * "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3.1).
 */
class CnpGate
{
  public:
    /// Note a marked packet. now: the time in ns; interval: the least time from one CNP to
    /// the next, in ns. @return whether a CNP is due
    bool Pass(int64_t now, int64_t interval)
    {
        if (now < m_next)
        {
            return false;
        }
        m_next = now + interval;
        return true;
    }

  private:
    int64_t m_next{
        std::numeric_limits<int64_t>::min()}; //!< when the next CNP is due at the soonest
};

} // namespace ns3::aidc

#endif // AIDC_CNP_GATE_H
