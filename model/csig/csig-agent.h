/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_AGENT_H
#define AIDC_CSIG_AGENT_H

#include "csig-domain.h"

#include "ns3/csig-fields.h"
#include "ns3/csig-locator.h"
#include "ns3/csig-signal.h"
#include "ns3/interval-peak.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/port-rate-estimator.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// @ingroup aidc
/// What a packet has met at the port that is about to send it.
struct CsigHop
{
    int64_t now{0};          //!< the time in ns
    uint64_t delay{0};       //!< since its last bit arrived, in ns
    uint64_t queuedBytes{0}; //!< what is left in the queue; read only if UsesQueueDepth()
    uint8_t ttl{0};          //!< its TTL as it leaves; read only if UsesTtl()
};

/**
 * @ingroup aidc
 * @brief Measures the signals of a switch's port, and puts them into tags.
 *
 * Sections 4.4.2 and 5 of draft-ravi-ippm-csig-01 (February 2024). It knows nothing of frames:
 * CsigPort and CsigQueuePort feed it. All of the port's traffic counts, of all QoS classes (section
 * 5.3.4).
 *
 * With Software it is the agent of section 6.4, which runs on the CPU of a switch that has no CSIG:
 * every SoftwareInterval it reads the port's byte counter and programs what the port writes until
 * the next time. It needs no events for that.
 *
 * Start() reads the attributes; they have no effect after that.
 */
class CsigAgent : public Object
{
  public:
    /// What has been done to a tag.
    enum class Outcome : uint8_t
    {
        UPDATED,     //!< it has this port's value
        KEPT,        //!< its value is as bad as this port's, or worse
        UNSUPPORTED, //!< it asks for what this port does not support
        FROZEN       //!< it forbids to be updated
    };

    /// @return the type ID
    static TypeId GetTypeId();

    /// Take over the domain of a port, if it has one.
    /// @param domain the domain, may be null; the agent's own, if it has one, must be the same, or
    ///        the program ends
    void JoinDomain(Ptr<CsigDomain> domain);

    /// Begin to measure. What is configured wrong ends the program.
    /// @param capacity the speed of the port in bit/s, above 0
    /// @param sent the bytes that it has sent so far, on the wire
    void Start(uint64_t capacity, uint64_t sent);

    /// Count what the port has sent. Call it whenever a transmission starts.
    /// @param now the time in ns, at least that of the last call
    /// @param sent the bytes that were sent before, on the wire
    void Count(int64_t now, uint64_t sent)
    {
        // They were sent from the last call on.
        m_estimator.Count(m_last + m_shift, sent - m_sent);
        m_sent = sent;
        m_last = now;
    }

    /// @return whether anybody traces the load, so that NoteLoad() has to be called
    bool TracesLoad() const
    {
        return !m_loadTrace.IsEmpty() || !m_abwTrace.IsEmpty();
    }

    /// Trace the load and the available bandwidth if they have changed. Call it behind Count().
    /// @param now the time in ns, that of the last call
    void NoteLoad(int64_t now);

    /// Note the delay of a packet, tagged or not. Call it if UsesPeak().
    /// @param now the time in ns, at least that of the last call
    /// @param delay the delay in ns
    void NoteDelay(int64_t now, uint64_t delay)
    {
        m_peak.Note(now + m_shift, delay + m_latency);
    }

    /// @return whether delays are those of all packets of an interval
    bool UsesPeak() const
    {
        return m_usesPeak;
    }

    /// @return whether the queue's depth is a signal of this port, so that CsigHop needs it
    bool UsesQueueDepth() const
    {
        return m_usesQueueDepth;
    }

    /// @param format the format
    /// @return whether a locator of the format has the packet's TTL, so that CsigHop needs it
    bool UsesTtl(CsigFormat format) const
    {
        return m_usesTtl[static_cast<std::size_t>(format)];
    }

    /// Put this port's value into a tag if it is the bottleneck so far (section 4.1.3).
    /// @param[in,out] fields the fields of the tag
    /// @param hop what the packet has met
    /// @return what was done
    Outcome Process(CsigFields& fields, const CsigHop& hop);

    /// Measure a signal.
    /// @param signal the signal
    /// @param hop what a packet has met
    /// @return the value in the signal's unit
    uint64_t Measure(CsigSignal signal, const CsigHop& hop);

    /// Get what the whole network has in common.
    /// @return its settings; a domain with the defaults if none was set
    Ptr<CsigDomain> GetDomain() const
    {
        return m_domain;
    }

    /// Get the locator metadata that are written.
    /// @param format the format
    /// @param signal the signal, which may have a layout of its own
    /// @return LM, with TTL 0
    uint16_t GetLocator(CsigFormat format, CsigSignal signal = CsigSignal::ABW) const;

  private:
    /// Note which signals this port supports, by type code.
    void ListSignals();

    /// Make the estimator that the attributes ask for.
    /// @return the estimator
    PortRateEstimator MakeEstimator() const;

    /// Pack what locates this port. @param format the format @param signal the signal
    void EncodeLocator(CsigFormat format, CsigSignal signal);

    // What each packet touches comes first.
    const CsigDomain* m_common{nullptr};                 //!< the domain, kept by m_domain
    std::array<std::optional<CsigSignal>, 16> m_signals; //!< the supported ones, by type code
    std::array<bool, 2> m_usesTtl{};                     //!< by format
    std::array<std::array<uint16_t, CSIG_SIGNALS>, 2> m_locators{}; //!< by format and signal
    bool m_usesQueueDepth{false};      //!< whether the depth is a signal
    bool m_usesPeak{false};            //!< whether the delay is that of m_peak
    uint64_t m_capacity{0};            //!< in bit/s
    PortRateEstimator m_estimator;     //!< how fast the port sends
    int64_t m_last{0};                 //!< when bytes were counted last, in ns
    int64_t m_shift{0};                //!< how much earlier windows begin, in ns
    uint64_t m_sent{0};                //!< the bytes that are counted
    uint64_t m_latency{0};             //!< added to delays, in ns
    IntervalPeak m_peak{1};            //!< delays that software reads
    Ptr<CsigDomain> m_domain;          //!< attribute Domain
    bool m_hasAbw{true};               //!< attribute Abw
    bool m_hasAbwRatio{true};          //!< attribute AbwRatio
    bool m_hasHopDelay{true};          //!< attribute HopDelay
    bool m_hasQueueDepth{true};        //!< attribute QueueDepth
    RateEstimationConfig m_estimation; //!< attributes Estimation, Interval, Weight and Discount*
    uint32_t m_weightBytes{0};         //!< attribute WeightBytes
    Time m_pipelineLatency;            //!< attribute PipelineLatency
    double m_phase{0};                 //!< attribute Phase
    bool m_isSoftware{false};          //!< attribute Software
    Time m_softwareInterval;           //!< attribute SoftwareInterval
    bool m_hasSoftwareHopDelay{false}; //!< attribute SoftwareHopDelay
    uint32_t m_stage{0};               //!< attribute Stage
    CsigOrientation m_orientation{CsigOrientation::UNKNOWN}; //!< attribute Orientation
    uint32_t m_port{0};                                      //!< attribute Port
    uint32_t m_device{0};                                    //!< attribute Device
    uint32_t m_custom{0};                                    //!< attribute Custom
    uint64_t m_load{0};                                      //!< as it was traced last, in bit/s
    uint64_t m_available{0};                                 //!< as it was traced last, in bit/s
    TracedCallback<uint64_t, uint64_t> m_loadTrace;          //!< trace Load
    TracedCallback<uint64_t, uint64_t> m_abwTrace;           //!< trace AvailableBandwidth
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_AGENT_H
