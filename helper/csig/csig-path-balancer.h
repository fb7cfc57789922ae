/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PATH_BALANCER_H
#define AIDC_CSIG_PATH_BALANCER_H

#include "../../model/core/csig/csig-fields.h"
#include "../../model/core/csig/csig-path-policy.h"

#include "ns3/csig-domain.h"
#include "ns3/csig-signal.h"
#include "ns3/csig-udp-source.h"
#include "ns3/flow-key.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Lets a flow take another path when signals report congestion that it can avoid (section
 *        8.2.1 of draft-ravi-ippm-csig-01).
 *
 * It is for flows of a CsigUdpSource. A TCP connection cannot change the fields that switches hash
 * without breaking.
 */
class CsigPathBalancer
{
  public:
    /// Constructor.
    /// @param source the flow; it must not be disposed of before the balancer
    /// @param domain the domain; if its layout lacks stage or orientation, the program ends, unless
    ///        the policy treats the last hop like others
    /// @param signal the signal that decides
    /// @param settings when to take another path
    CsigPathBalancer(Ptr<CsigUdpSource> source,
                     Ptr<CsigDomain> domain,
                     CsigSignal signal,
                     const CsigPathPolicySettings& settings);
    ~CsigPathBalancer();

    CsigPathBalancer(const CsigPathBalancer&) = delete;
    CsigPathBalancer& operator=(const CsigPathBalancer&) = delete;

    /// @return the number of signals of congestion at the last hop, which were ignored
    uint64_t GetNLastHop() const
    {
        return m_nLastHop;
    }

  private:
    /// Handle the signal of a flow.
    void NoteSignal(const FlowKey& flow, const CsigFields& fields);

    Ptr<CsigUdpSource> m_source; //!< the flow
    Ptr<CsigDomain> m_domain;    //!< the domain
    CsigSignal m_signal;         //!< the signal that decides
    CsigPathPolicy m_policy;     //!< decides on other paths
    uint64_t m_nLastHop{0};      //!< signals of congestion at the last hop
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_BALANCER_H
