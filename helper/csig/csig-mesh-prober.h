// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_MESH_PROBER_H
#define AIDC_CSIG_MESH_PROBER_H

#include "../../model/core/csig/csig-fields.h"

#include "ns3/csig-bottlenecks.h"
#include "ns3/csig-domain.h"
#include "ns3/csig-signal.h"
#include "ns3/csig-udp-applications.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// How a CsigMeshProber probes.
struct CsigMeshProberSettings
{
    uint32_t nPeers{4};           //!< other hosts to which each host sends; all if there are fewer
    uint16_t nPorts{8};           //!< source ports of a pair, so that its probes take several paths
    DataRate rate{"100Mbps"};     //!< payload of a pair's probes
    uint32_t packetSize{100};     //!< payload of a probe in bytes
    Time start;                   //!< when the first host begins
    uint64_t speed{100000000000}; //!< speed of a healthy link, bit/s: the reference of min(ABW)
    Time delay{MicroSeconds(10)}; //!< a severe delay: the reference of max(PD)
    uint16_t port{7};             //!< the port of the sinks
};

/// A mesh of UDP probes that finds degraded links by the bottlenecks that their tags name
/// (section 8.3 of draft-ravi-ippm-csig-01).
///
/// Each probe is a datagram of a CsigUdpSource, whose source ports take turns so that the switches
/// hash them to different paths. A CsigUdpSink on every host answers each probe. The CsigHosts of
/// the hosts have to request the signals to rank. Tags must have the expanded format, with a
/// locator that names devices and ports.
///
/// With several processes (MpiProcesses), each one installs the mesh, and asks for results at the
/// same point. Results cover all processes.
class CsigMeshProber
{
  public:
    /// Constructor.
    /// @param domain the attributes that the network has in common
    /// @param settings how to probe
    explicit CsigMeshProber(Ptr<CsigDomain> domain, const CsigMeshProberSettings& settings = {});
    ~CsigMeshProber();

    CsigMeshProber(const CsigMeshProber&) = delete;
    CsigMeshProber& operator=(const CsigMeshProber&) = delete;

    /// Choose the pairs of hosts and install their probes, before the simulation begins.
    /// @param network the network, with its addresses assigned and CSIG on all hosts
    /// @param stream the random variable stream to use
    /// @return the number of streams used: 1
    int64_t Install(const FabricHelper& network, int64_t stream);

    /// Find the time when a link is detected: from then on, one of its ports ranks first.
    /// @param locators the LM of its ports
    /// @param interval the time between checks, above 0; the simulation does not end by itself then
    void Watch(const std::vector<uint16_t>& locators, Time interval);

    /// @param signal min(ABW) or max(PD)
    /// @return the time from the start of the probes until the watched link ranks first to the end,
    ///         s; NaN if it does not
    double GetDetectionTime(CsigSignal signal) const;

    /// @param signal min(ABW) or max(PD)
    /// @return the rank of the watched link, from 1, by its better port; 0 if neither port was
    ///         named
    uint32_t GetRank(CsigSignal signal) const;

    /// @param signal min(ABW) or max(PD)
    /// @return how far the watched link is ahead: the highest score of its ports over the highest
    ///         score of others; NaN if none was named
    double GetMargin(CsigSignal signal) const;

    /// @param signal min(ABW) or max(PD)
    /// @return the bottlenecks that signals of the probes have named so far
    CsigBottlenecks GetBottlenecks(CsigSignal signal) const;

    /// @return source and destination of each pair that is probed
    const std::vector<std::pair<NodeIndex, NodeIndex>>& GetPairs() const
    {
        return m_pairs;
    }

    /// @return the number of reflected signals of both kinds that name a bottleneck
    uint64_t GetNSignals() const;

    /// @return the bytes of payload that were sent
    uint64_t GetSentBytes() const;

    /// Write the ranking of both signals.
    ///
    /// The columns are `signal`, `rank`, `port`, `signals` (how many name it), `pairs`,
    /// `worst`, `best` and `mean` in the signal's unit, and `score`, see CsigBottlenecks.
    /// @param path the file
    /// @param names the names of ports by LM
    /// @throws std::runtime_error if it cannot be written
    void WriteRanking(const std::string& path, const std::map<uint16_t, std::string>& names) const;

  private:
    /// Handle the signal of a flow of probes. pair: the number of its pair.
    void NoteSignal(uint32_t pair, const CsigFields& fields);

    /// Choose the pairs of hosts, with a random variable of the given stream.
    void ChoosePairs(const std::vector<NodeIndex>& hosts, int64_t stream);

    /// Check the rank of the watched link, and check again later.
    void Look();

    /// The results of a signal.
    struct Ranking
    {
        CsigBottlenecks bottlenecks; //!< of this process's hosts
        double detection; //!< since when the watched link ranks first, s; NaN if it does not
    };

    /// @return the results of a signal; a signal by which ports are not ranked is refused
    const Ranking& Find(CsigSignal signal) const;

    /// @return whether the port is one of the watched link
    bool IsWatched(uint16_t locator) const;

    Ptr<CsigDomain> m_domain;                             //!< the domain
    CsigMeshProberSettings m_settings;                    //!< how to probe
    std::map<CsigSignal, Ranking> m_rankings;             //!< by min(ABW) and by max(PD)
    std::vector<std::pair<NodeIndex, NodeIndex>> m_pairs; //!< source and destination
    std::vector<Ptr<CsigUdpSource>> m_sources;            //!< of this process
    uint64_t m_nSignals{0};                               //!< reflected to this process's hosts
    std::vector<uint16_t> m_watched;                      //!< LM of the ports of the watched link
    Time m_interval;                                      //!< time between checks
    EventId m_event;                                      //!< the next check
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_MESH_PROBER_H
