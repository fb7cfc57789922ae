// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_PATH_SIGNALS_H
#define AIDC_CSIG_PATH_SIGNALS_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-quantizer.h"
#include "../core/csig/csig-requester.h"
#include "../core/ethernet/ethernet-fields.h"
#include "../path-signals.h"
#include "csig-domain.h"

#include "ns3/csig-signal.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::aidc
{

/// CSIG for a host's network adapter: tags the packets of its transport, and reflects the
/// tags that arrive (sections 4.1.3 and 4.2.2 of draft-ravi-ippm-csig-01).
///
/// Each adapter has its own. The host's ports have a CsigPort of the role Host, which recognizes
/// tags by the TPIDs of the same domain.
///
/// A pseudo-random sequence, the same in each run, assigns signals to packets. Strict turns would
/// fail for connections that take turns themselves: with two signals and two connections, each
/// connection would always ask for the same signal.
///
/// A path that does not carry tags is detected as by CsigHost (section 6.3.3), from three tags in a
/// row that are acknowledged without a reflection, or lost with their packets. These packets are
/// repeated without tags. Afterwards packets are untagged, except for a trial each RetryInterval.
class CsigPathSignals : public PathSignals
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CsigPathSignals();

    /// Set the signals to ask for.
    /// @param names their names (GetCsigName), separated by commas
    /// @return whether each is a signal of the domain; if not, nothing has changed
    bool SetSignals(const std::string& names);

    /// @return the names of the signals that are asked for, separated by commas
    std::string GetSignals() const;

    /// Set the domain.
    /// @param domain the domain, which must not change any more, null for a new one; an error in
    ///        it, or a signal of attribute Signals that is off in the domain, is refused
    void SetDomain(Ptr<CsigDomain> domain);

    /// @return the settings that the whole network has in common
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

    /// @param flow the number of the flow; for RoceNic, of its queue pair
    /// @return the capability of its path, as far as it is known (section 6.3.3)
    CsigCapability GetCapability(uint32_t flow) const;

    /// @param flow the number of the flow
    /// @param signal the signal
    /// @return the capability of its path for the signal
    CsigCapability GetCapability(uint32_t flow, CsigSignal signal) const;

    /// TracedCallback signature for the capability of a flow's path.
    /// @param [in] flow the number of the flow
    /// @param [in] capability the present capability
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

    /// @throws std::invalid_argument if a signal is off in the domain, or does not fit the format
    void CheckSignals(const std::vector<CsigSignal>& signals) const;

    CsigPathWatches& GetPath(uint32_t flow);

    /// Trace the capability of a flow's path if it has changed.
    void TraceCapability(uint32_t flow, CsigCapability before, const CsigPathWatches& path);

    /// Apply the attributes to the next packet.
    void Derive();

    bool m_isConstructed{false};                                //!< whether all attributes are set
    Ptr<CsigDomain> m_domain;                                   //!< attribute Domain
    CsigFormat m_format{CsigFormat::COMPACT};                   //!< attribute Format
    std::vector<CsigSignal> m_signals{CsigSignal::ABW};         //!< attribute Signals
    uint32_t m_period{1};                                       //!< attribute Period
    std::vector<RequestTag> m_requests;                         //!< a tag for each signal
    CsigRequestPlan m_plan;                                     //!< requests, and when to give up
    std::unordered_map<uint32_t, CsigPathWatches> m_paths;      //!< the paths of flows
    TracedCallback<uint32_t, CsigCapability> m_capabilityTrace; //!< trace source Capability
    uint64_t m_nPackets{0};                                     //!< packets that were sent
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_SIGNALS_H
