/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PATH_SIGNALS_H
#define AIDC_CSIG_PATH_SIGNALS_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-path-watch.h"
#include "../core/csig/csig-reading.h"
#include "../core/ethernet/ethernet-fields.h"
#include "../path-signals.h"
#include "csig-domain.h"

#include "ns3/csig-signal.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief CSIG for a host's network adapter: tags what its transport sends, and reflects what
 *        arrives (sections 4.1.3 and 4.2.2 of draft-ravi-ippm-csig-01).
 *
 * An adapter has one of its own. The host's ports have a CsigPort of the role Host, which tells
 * tags by the TPIDs of the same domain.
 *
 * Which packets get which signal is by a sequence that looks random and is the same in each run.
 * Strict turns would be no turns for connections that take turns themselves: with two signals and
 * two connections, each would always ask for the same one.
 *
 * A path that does not carry tags is found out as by CsigHost (section 6.3.3): three tags in a row
 * that are acknowledged without a reflection, or lost with their packets, which are repeated
 * without tags. Then packets go untagged, but for a trial at each RetryInterval.
 */
class CsigPathSignals : public PathSignals
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CsigPathSignals();

    /// Set the signals to ask for.
    /// @param names their names (GetCsigName), separated by commas
    /// @return whether each is a signal of the domain; if not, nothing is changed
    bool SetSignals(const std::string& names);

    /// @return the names of the signals that are asked for, separated by commas
    std::string GetSignals() const;

    /// Set what the whole network has in common.
    /// @param domain its settings, which must not change any more, null for a new one; an error in
    ///        them, or a signal that is asked for and that it has off, ends the program
    void SetDomain(Ptr<CsigDomain> domain);

    /// Get what the whole network has in common.
    /// @return its settings
    Ptr<CsigDomain> GetDomain() const
    {
        return m_domain;
    }

    // From PathSignals
    void Tag(FrameContext& context, const Request& request) override;
    std::size_t Reflect(const FrameContext& context, uint8_t* bytes, std::size_t size) override;
    std::optional<CsigReading> Read(const Answer& answer,
                                    const uint8_t* bytes,
                                    std::size_t size) override;

    /// Get what is known of a flow's path (section 6.3.3).
    /// @param flow the number of the flow; for RoceNic, of its queue pair
    /// @return that
    CsigCapability GetCapability(uint32_t flow) const;

    /// Get what is known of a flow's path as to a signal.
    /// @param flow the number of the flow
    /// @param signal the signal
    /// @return that
    CsigCapability GetCapability(uint32_t flow, CsigSignal signal) const;

    /// TracedCallback signature for what is known of a flow's path.
    /// @param [in] flow the number of the flow
    /// @param [in] capability what is known now
    typedef void (*CapabilityTracedCallback)(uint32_t flow, CsigCapability capability);

  protected:
    void NotifyConstructionCompleted() override;
    void DoDispose() override;

  private:
    /// A tag that asks for a signal.
    struct RequestTag
    {
        std::array<uint8_t, EthernetFields::MAX_TAG> tag{}; //!< with its TPID
        uint8_t size{0};                                    //!< its bytes
    };

    /// Check that the domain, if it is known, has the signals to ask for on, with types that fit
    /// the format.
    /// @param signals the signals
    /// @throws std::invalid_argument if it has not
    void CheckSignals(const std::vector<CsigSignal>& signals) const;

    /// Get what is known of a flow's path.
    /// @param flow the number of the flow
    /// @return that, by signal
    std::vector<CsigPathWatch>& GetPath(uint32_t flow);

    /// Trace what is known of a flow's path if it has changed.
    /// @param flow the number of the flow
    /// @param before what was known
    /// @param path what is known now
    void TraceCapability(uint32_t flow,
                         CsigCapability before,
                         const std::vector<CsigPathWatch>& path);

    /// Derive from the attributes what the next packet goes by.
    void Derive();

    bool m_isConstructed{false};                        //!< whether all attributes are set
    Ptr<CsigDomain> m_domain;                           //!< attribute Domain
    CsigFormat m_format{CsigFormat::COMPACT};           //!< attribute Format
    std::vector<CsigSignal> m_signals{CsigSignal::ABW}; //!< attribute Signals
    uint32_t m_period{1};                               //!< attribute Period
    std::vector<RequestTag> m_requests;                 //!< a tag for each signal
    CsigRequestPlan m_plan;                             //!< what is asked for, and when to give up
    /// What is known of the paths of flows, by signal as in m_requests.
    std::unordered_map<uint32_t, std::vector<CsigPathWatch>> m_paths;
    TracedCallback<uint32_t, CsigCapability> m_capabilityTrace; //!< trace source Capability
    uint64_t m_nPackets{0};                                     //!< packets that were sent
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_SIGNALS_H
