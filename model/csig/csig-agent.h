// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_AGENT_H
#define AIDC_CSIG_AGENT_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-locator.h"
#include "../core/csig/port-rate-estimator.h"
#include "csig-domain.h"

#include "ns3/csig-signal.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// The user's description of a switch's port for locators (section 5.5 of
/// draft-ravi-ippm-csig-01). Each number is written if the layout has it.
struct CsigPortPlace
{
    uint32_t stage{0};                                     //!< the stage of its switch
    CsigOrientation orientation{CsigOrientation::UNKNOWN}; //!< where it leads to
    uint32_t port{0};                                      //!< its number
    uint32_t device{0};                                    //!< the number of its switch
    uint32_t custom{0};                                    //!< a number of the user's own
};

/// The state of the port that is about to send a packet, as the packet has met it.
struct CsigHop
{
    int64_t now{0};          //!< the time in ns
    uint64_t delay{0};       //!< since its last bit arrived, in ns
    uint64_t queuedBytes{0}; //!< bytes left in the queue; read only if UsesQueueDepth()
    uint8_t ttl{0};          //!< its TTL as it leaves; read only if UsesTtl()
};

/// Measures the signals of a switch's port, and puts them into tags.
///
/// Sections 4.4.2 and 5 of draft-ravi-ippm-csig-01 (February 2024). It knows nothing of frames:
/// CsigPort and CsigQueuePort feed it. All of the port's traffic counts, of all QoS classes
/// (section 5.3.4).
///
/// With Software it is the agent of section 6.4, which runs on the CPU of a switch that has no
/// CSIG: every SoftwareInterval it reads the port's byte counter, and programs the values that the
/// port writes in the next interval. It needs no events.
///
/// Start() reads the attributes; they have no effect after that.
class CsigAgent : public Object
{
  public:
    /// What was done with a tag.
    enum class Outcome : uint8_t
    {
        UPDATED,     //!< it has this port's value
        KEPT,        //!< its value is as bad as this port's, or worse
        UNSUPPORTED, //!< it asks for a signal that this port does not support
        FROZEN       //!< it forbids to be updated
    };

    /// @return the type ID
    static TypeId GetTypeId();

    /// Start to measure.
    /// @param capacity the speed of the port in bit/s, above 0
    /// @param sent the bytes that it has sent so far, on the wire
    /// @param domain the domain of the port, null if it has none; if the agent has another one, it
    ///        is refused
    /// @throws std::runtime_error if the configuration is wrong
    void Start(uint64_t capacity, uint64_t sent, Ptr<CsigDomain> domain = nullptr);

    /// Count the bytes that the port has sent, and note the delay of a packet, tagged or not. Call
    /// it whenever a transmission starts.
    /// @param hop the time, at least the last call's, and the packet's delay
    /// @param sent the bytes that were sent before, on the wire
    void Count(const CsigHop& hop, uint64_t sent)
    {
        // They were sent from the last call on.
        m_estimator.Count(m_last + m_shift, sent - m_sent);
        m_sent = sent;
        m_last = hop.now;
        if (!m_loadTrace.IsEmpty() || !m_abwTrace.IsEmpty())
        {
            TraceLoad(hop.now);
        }
        if (m_usesPeak)
        {
            m_peak.Note(hop.now + m_shift, hop.delay + m_latency);
        }
    }

    /// @return whether the queue's depth is a signal of this port, so that CsigHop has to have it
    bool UsesQueueDepth() const
    {
        return m_usesQueueDepth;
    }

    /// @param format the format
    /// @return whether a locator of the format has the packet's TTL, so that CsigHop has to have it
    bool UsesTtl(CsigFormat format) const
    {
        return m_usesTtl[static_cast<std::size_t>(format)];
    }

    /// Put this port's value into a tag if it is the bottleneck so far (section 4.1.3).
    /// @param[in,out] fields the fields of the tag
    /// @param hop the state that the packet has met
    /// @return what was done
    Outcome Process(CsigFields& fields, const CsigHop& hop);

    /// @return the settings that the whole network has in common; the defaults if none were set
    Ptr<CsigDomain> GetDomain() const
    {
        return m_domain;
    }

    /// LM by format and signal.
    using Locators = std::array<std::array<uint16_t, CSIG_SIGNALS>, 2>;

    /// @return the LM that are written, with TTL 0
    const Locators& GetLocators() const
    {
        return m_locators;
    }

    /// @param format the format
    /// @param signal the signal, which may have a layout of its own
    /// @return the LM that are written, with TTL 0
    uint16_t GetLocator(CsigFormat format, CsigSignal signal = CsigSignal::ABW) const
    {
        return m_locators[static_cast<std::size_t>(format)][static_cast<std::size_t>(signal)];
    }

  private:
    /// Trace the load and the available bandwidth if they have changed. @param now the time in ns
    void TraceLoad(int64_t now);

    /// Measure a signal. @return the value in the signal's unit
    uint64_t Measure(CsigSignal signal, const CsigHop& hop);

    /// List the signals that this port supports, by type code.
    void ListSignals();

    /// Encode the place in each layout. @throws std::invalid_argument if a number has too many bits
    void EncodePlace();

    // What each packet touches comes first.
    Ptr<CsigDomain> m_domain;                            //!< attribute Domain
    std::array<std::optional<CsigSignal>, 16> m_signals; //!< the supported ones, by type code
    std::array<bool, 2> m_usesTtl{};                     //!< by format, whether LM have the TTL
    Locators m_locators{};                               //!< LM that are written
    bool m_usesQueueDepth{false};                        //!< whether the depth is a signal
    bool m_usesPeak{false};                              //!< whether m_peak gives the delay
    uint64_t m_capacity{0};                              //!< in bit/s
    PortRateEstimator m_estimator;                       //!< how fast the port sends
    int64_t m_last{0};                                   //!< when bytes were counted last, in ns
    int64_t m_shift{0};                                  //!< how much earlier windows begin, in ns
    uint64_t m_sent{0};                                  //!< the bytes that are counted
    uint64_t m_latency{0};                               //!< added to delays, in ns
    IntervalPeak m_peak{1};                              //!< delays that software reads
    bool m_hasAbw{true};                                 //!< attribute Abw
    bool m_hasAbwRatio{true};                            //!< attribute AbwRatio
    bool m_hasHopDelay{true};                            //!< attribute HopDelay
    bool m_hasQueueDepth{true};                          //!< attribute QueueDepth
    RateEstimationSettings m_estimation; //!< attributes Estimation, Interval, Weight and Discount*
    uint32_t m_weightBytes{0};           //!< attribute WeightBytes
    Time m_pipelineLatency;              //!< attribute PipelineLatency
    double m_phase{0};                   //!< attribute Phase
    bool m_isSoftware{false};            //!< attribute Software
    Time m_softwareInterval;             //!< attribute SoftwareInterval
    bool m_hasSoftwareHopDelay{false};   //!< attribute SoftwareHopDelay
    CsigPortPlace m_place;               //!< Stage, Orientation, Port, Device and Custom
    uint64_t m_load{0};                  //!< as it was traced last, in bit/s
    uint64_t m_available{0};             //!< as it was traced last, in bit/s
    TracedCallback<uint64_t, uint64_t> m_loadTrace; //!< trace Load
    TracedCallback<uint64_t, uint64_t> m_abwTrace;  //!< trace AvailableBandwidth
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_AGENT_H
