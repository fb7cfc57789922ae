// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_TRUTH_MONITOR_H
#define AIDC_CSIG_TRUTH_MONITOR_H

#include "../../model/core/csig/csig-fields.h"
#include "../../model/core/csig/csig-quantizer.h"
#include "../../model/core/csig/csig-signal-lag.h"

#include "ns3/csig-domain.h"
#include "ns3/csig-signal.h"
#include "ns3/fabric-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/result-file.h"
#include "ns3/tag-buffer.h"
#include "ns3/tag.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// A packet tag that carries the true values of a packet's path: the worst of each signal so
/// far (CsigTruthMonitor).
class CsigTruthTag : public Tag
{
  public:
    /// The worst of a signal.
    struct Worst
    {
        double value;  //!< the value in the signal's unit
        uint16_t port; //!< the number of the port
    };

    /// What a packet has met.
    struct Values
    {
        int64_t arrival{0}; //!< at this switch, ns
        /// By signal; no port yet.
        std::array<Worst, 3> worst{{{std::numeric_limits<double>::infinity(), 0xffff},
                                    {std::numeric_limits<double>::infinity(), 0xffff},
                                    {-1, 0xffff}}};
    };

    /// @return the type ID
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aidc::CsigTruthTag")
                                .SetParent<Tag>()
                                .SetGroupName("Aidc")
                                .HideFromDocumentation()
                                .AddConstructor<CsigTruthTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return sizeof(Values);
    }

    // In one piece, as in memory: byte by byte, tags would take a tenth of the time of a hop
    void Serialize(TagBuffer buffer) const override
    {
        Values copy = values;
        buffer.CopyFrom(View(copy));
    }

    void Deserialize(TagBuffer buffer) override
    {
        View(values).CopyFrom(buffer);
    }

    void Print(std::ostream& os) const override
    {
        os << "arrival=" << values.arrival;
    }

    /// Write the value of a port if it is worse.
    void Update(CsigSignal signal, double value, uint16_t port)
    {
        Worst& entry = values.worst[static_cast<std::size_t>(signal)];
        const bool isMin = GetCsigAggregation(signal) == CsigAggregation::MIN;
        if (isMin ? value < entry.value : value > entry.value)
        {
            entry = {value, port};
        }
    }

    Values values; //!< what it carries

  private:
    /// @return the memory of some values
    static TagBuffer View(Values& of)
    {
        auto* const begin = reinterpret_cast<uint8_t*>(&of);
        return TagBuffer(begin, begin + sizeof(of));
    }
};

class CsigTruthPort;

/// Identifies a port for a CsigTruthMonitor.
struct CsigTruthIdentity
{
    uint16_t number;                 //!< its number
    uint64_t capacity;               //!< its speed in bit/s
    std::optional<uint16_t> locator; //!< its LM, if it writes one into tags
};

/// How accurate a signal is.
struct CsigAccuracy
{
    uint64_t nSignals{0}; //!< tags that were compared
    double errorMean{0};  //!< mean of the error's size, see CsigTruthMonitor; NaN without any
    double errorP99{0};   //!< its 99th percentile
    double bias{0};       //!< mean of the error, positive if too much was reported
    double rightPort{0};  //!< share of the tags that name the true bottleneck
    double lag{0};        //!< the lag of senders' signals behind the truth, s; NaN without any
    /// Share of the tags that report at least the limit less than the truth.
    double falseBottlenecks{0};
    /// Share of the tags that report at least the limit more than the truth.
    double missedBottlenecks{0};
};

/// Compares the reports of CSIG with the true state of the simulated network.
///
/// The truth is independent of the ports' own counters: it comes from the traces FrameEnd and
/// FrameBegin of EthernetNetDevice, and travels in a separate packet tag. At each switch port, when
/// a frame's transmission begins,
/// - the true available bandwidth is the part that the port has not used in the window that ends
///   now, to the nanosecond; all bytes of a frame on the wire count;
/// - the true delay is the time since the frame's last bit arrived at the switch.
/// A packet's truth is the worst of these values on its path. When the packet is delivered, the
/// truth is compared with the middle of the range of its tag. The error of min(ABW) is relative to
/// the capacity of the true bottleneck, the error of min(ABW/C) is a difference of shares, and the
/// error of max(PD) is in seconds. Tags that no switch has changed are left out.
///
/// The lag is how far the signals reflected to senders are behind the truth in bins: see
/// FindSignalLag(). Signals to senders of RoCEv2 are not watched, so that they add nothing to lags
/// and to reports of full ports.
///
/// Tags have to be of the expanded format. The monitor must outlive the simulation.
///
/// With several processes (MpiProcesses), each one adds all ports and hosts in the same order, and
/// asks for results at the same point. Results cover all processes.
class CsigTruthMonitor
{
  public:
    /// The share of the capacity that counts as an error, or that a full port has left at most.
    static constexpr double LIMIT = 0.2;

    /// Constructor.
    /// @param domain the domain
    /// @param window the time over which available bandwidth is measured, above 0
    /// @param bin the resolution of the lag, above 0
    CsigTruthMonitor(Ptr<CsigDomain> domain, Time window, Time bin);
    ~CsigTruthMonitor();

    CsigTruthMonitor(const CsigTruthMonitor&) = delete;
    CsigTruthMonitor& operator=(const CsigTruthMonitor&) = delete;

    /// Watch a port of a switch. A port of another process's switch is only numbered.
    /// @param device the port, an EthernetNetDevice; null for one that only another process has
    /// @param capacity its speed in bit/s
    /// @param locator its LM; none if it writes none into tags
    void AddPort(Ptr<NetDevice> device, uint64_t capacity, std::optional<uint16_t> locator);

    /// Watch a host, if of this process, and the packets of its RoceNic if it has one.
    /// @param host the host; it has a CsigHost
    void AddHost(Ptr<Node> host);

    /// Watch all ports of switches and all hosts of a fabric. Ports without a CsigPort that updates
    /// tags write no LM.
    /// @param network the network, with CSIG installed
    void AddFabric(const FabricHelper& network);

    /// Keep compared tags from now on, for WriteSeries().
    /// @param sampling one in so many tags of a host is kept, at least 1
    void KeepSeries(uint32_t sampling);

    /// Write the tags that were kept.
    ///
    /// The columns are `time_s`, `signal`, `reported`, `truth`, `reported_lm` and `true_lm`, with
    /// values in the signal's unit. Rows are in time order.
    /// @param path the file
    /// @throws std::runtime_error if the file cannot be written
    void WriteSeries(const std::string& path) const
    {
        m_rows.Write(path, "time_s,signal,reported,truth,reported_lm,true_lm");
    }

    /// @param signal min(ABW), min(ABW/C) or max(PD)
    /// @return its results so far
    CsigAccuracy GetAccuracy(CsigSignal signal) const;

    /// @return the share of the packets with data that arrived with the value of some switch; NaN
    ///         without any packets
    double GetReportedShare() const;

    /// Find how soon min(ABW) reports to senders ports that have less than LIMIT of their capacity
    /// left, in all bins of at least a window.
    /// @return the times and delays
    FullPortReports GetFullPortReports() const;

  private:
    /// The signals that are compared.
    static constexpr std::size_t N_SIGNALS = 3;

    /// What a signal has reported, compared with the truth.
    struct Comparisons
    {
        std::vector<double> errors;     //!< of each tag
        uint64_t nRight{0};             //!< tags that name the true bottleneck
        std::vector<LagSample> samples; //!< the signals reflected to senders
    };

    /// The results of a host. They are joined in the order of AddHost(), so that results do not
    /// depend on the order in which a simulator runs hosts.
    struct Host
    {
        std::string name;                           //!< the number of its node
        std::array<Comparisons, N_SIGNALS> results; //!< by signal
        uint64_t nTags{0};                          //!< tags compared
        uint64_t nPackets{0};                       //!< packets with data
        uint64_t nReports{0};                       //!< packets with data whose tags were compared
    };

    /// Compare the tags of a packet.
    void Compare(Host& host, const Ipv4Header& header, const Packet& packet);

    /// Note a signal reflected to a sender.
    void NoteSignal(Host& host, const CsigFields& fields) const;

    /// @return the truth of the ports of all processes by port, then by bin, in the signal's unit
    std::vector<std::vector<double>> GetTruth(CsigSignal signal) const;

    /// Join what hosts of all processes compared. @return the results, in the order of AddHost()
    Comparisons GetComparisons(CsigSignal signal) const;

    /// @return what a tag says; none if its signal is not compared, or no switch has changed it
    std::optional<CsigReading> Read(const CsigFields& fields) const;

    Ptr<CsigDomain> m_domain;                            //!< the domain
    int64_t m_window;                                    //!< time of bandwidth averages, ns
    int64_t m_bin;                                       //!< the resolution of the lag, ns
    std::vector<CsigTruthIdentity> m_identities;         //!< of all ports, by number
    std::vector<std::unique_ptr<CsigTruthPort>> m_ports; //!< the ports of this process
    std::map<uint16_t, uint16_t> m_byLocator;            //!< the numbers of ports by LM
    std::deque<Host> m_hosts;                            //!< the hosts, in the order of AddHost()
    MonitorSeriesRows m_rows;                            //!< the series
    uint32_t m_sampling{0};                              //!< one in so many tags is kept; 0: none
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_TRUTH_MONITOR_H
