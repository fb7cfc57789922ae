/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_MESH_PROBER_H
#define AIDC_CSIG_MESH_PROBER_H

#include "../../model/core/csig/csig-fields.h"

#include "ns3/csig-bottlenecks.h"
#include "ns3/csig-domain.h"
#include "ns3/csig-signal.h"
#include "ns3/csig-udp-source.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// How a CsigMeshProber probes.
struct CsigMeshProberSettings
{
    uint32_t nPeers{4};           //!< to how many other hosts each host sends; all if so few
    uint16_t nPorts{8};           //!< source ports of a pair, so that its probes go several ways
    DataRate rate{"100Mbps"};     //!< payload of a pair's probes
    uint32_t packetSize{100};     //!< payload of a probe in bytes
    Time start;                   //!< when the first host begins
    uint64_t speed{100000000000}; //!< speed of a healthy link, bit/s: the reference of min(ABW)
    Time delay;                   //!< a severe delay: the reference of max(PD); 10 us
    uint16_t port{7};             //!< the port of the sinks

    CsigMeshProberSettings();
};

/**
 * @ingroup aidc
 * @brief A mesh of UDP probes that finds degraded links by the bottlenecks that their tags name
 *        (section 8.3 of draft-ravi-ippm-csig-01).
 *
 * Each probe is a datagram of a CsigUdpSource, whose source ports take turns so that the switches
 * hash them to different paths; a CsigUdpSink on every host answers each. What the hosts' CsigHost
 * asks for decides which signals there are; ask for the signals to rank. Tags must be of
 * the expanded format, with a locator that names devices and ports.
 */
class CsigMeshProber
{
  public:
    /// Constructor. @param domain what the network has in common @param settings how to probe
    explicit CsigMeshProber(Ptr<CsigDomain> domain, const CsigMeshProberSettings& settings = {});
    ~CsigMeshProber();

    CsigMeshProber(const CsigMeshProber&) = delete;
    CsigMeshProber& operator=(const CsigMeshProber&) = delete;

    /// Choose the pairs of hosts and install their probes, before the simulation begins.
    /// @param network the network, with its addresses assigned and CSIG on all hosts
    /// @param stream the random variable stream to use
    /// @return the number of streams used: 1
    int64_t Install(const FabricHelper& network, int64_t stream);

    /// Find out when a link is found: from when on one of its ports comes first.
    /// @param locators the LM of its ports
    /// @param interval how often to look, above 0; the simulation does not end by itself then
    void Watch(const std::vector<uint16_t>& locators, Time interval);

    /// @param signal min(ABW) or max(PD)
    /// @return when the watched link was found, from the start of the probes until it came first
    ///         for good, s; NaN if it does not
    double GetDetectionTime(CsigSignal signal) const;

    /// Get the place of the watched link.
    /// @param signal min(ABW) or max(PD)
    /// @return the place, from 1, of the one of its ports that comes first; 0 if neither was named
    uint32_t GetRank(CsigSignal signal) const;

    /// Get how far the watched link is ahead.
    /// @param signal min(ABW) or max(PD)
    /// @return the highest score of its ports over the highest one of others; NaN if none was named
    double GetMargin(CsigSignal signal) const;

    /// Get the bottlenecks so far.
    /// @param signal min(ABW) or max(PD)
    /// @return the bottlenecks that signals of the probes have named
    const CsigBottlenecks& GetBottlenecks(CsigSignal signal) const;

    /// Get the pairs that are probed.
    /// @return source and destination of each
    const std::vector<std::pair<NodeIndex, NodeIndex>>& GetPairs() const
    {
        return m_pairs;
    }

    /// Get how many signals have come back.
    /// @return signals of both kinds that name a bottleneck
    uint64_t GetNSignals() const
    {
        return m_nSignals;
    }

    /// @return how much was sent: bytes of payload
    uint64_t GetSentBytes() const;

    /**
     * @brief Write the ranking of both signals.
     *
     * The columns are `signal`, `rank`, `port`, `signals` (how many have named it), `pairs`,
     * `worst`, `best` and `mean` in the signal's unit, and `score`, see CsigBottlenecks.
     *
     * @param path the file
     * @param names the names of ports by LM
     * @throws std::runtime_error if it cannot be written
     */
    void WriteRanking(const std::string& path, const std::map<uint16_t, std::string>& names) const;

  private:
    /// The probes of a pair.
    struct Probe
    {
        CsigMeshProber* prober{nullptr}; //!< whose they are
        uint32_t pair{0};                //!< the number of the pair
        Ptr<CsigUdpSource> source;       //!< sends them
    };

    /// Take a signal. @param probe of which probes @param flow the flow @param fields the fields
    static void NoteSignal(Probe* probe, const FlowKey& flow, const CsigFields& fields);

    /// Choose the pairs. @param hosts the hosts @param stream the random variable stream
    void ChoosePairs(const std::vector<NodeIndex>& hosts, int64_t stream);

    /// Look where the watched link is, and look again later.
    void Look();

    /// @param locator its LM
    /// @return whether the port is one of the watched link
    bool IsWatched(uint16_t locator) const;

    Ptr<CsigDomain> m_domain;                             //!< what the network has in common
    CsigMeshProberSettings m_settings;                    //!< how to probe
    CsigBottlenecks m_abw;                                //!< bottlenecks by min(ABW)
    CsigBottlenecks m_delay;                              //!< bottlenecks by max(PD)
    std::vector<std::pair<NodeIndex, NodeIndex>> m_pairs; //!< source and destination
    std::vector<std::unique_ptr<Probe>> m_probes;         //!< by pair
    uint64_t m_nSignals{0};                               //!< signals that have come back
    std::vector<uint16_t> m_watched;                      //!< LM of the ports of the watched link
    Time m_interval;                                      //!< how often to look
    EventId m_event;                                      //!< the next look
    std::array<double, 2> m_detections;                   //!< by min(ABW) and max(PD), s
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_MESH_PROBER_H
