// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_TRANSPORT_H
#define AIDC_EXPERIMENT_TRANSPORT_H

#include "experiment-parameters.h"
#include "experiment-results.h"
#include "experiment-run.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-records.h"
#include "ns3/flow-spec-file.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pause-monitor.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-nic-record.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/tcp-flow-helper.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The options of the transport of an experiment's flows.
struct ExperimentTransportOptions
{
    /// What a user may choose from: dctcp over TCP; dcqcn, swift, hpcc, timely or none over RoCEv2,
    /// where none has priority flow control alone. It is no option of the command line.
    std::vector<std::string> transports{"dctcp", "dcqcn", "swift", "hpcc", "timely", "none"};

    std::string transport{"dctcp"};    //!< one of these
    std::string recovery{"go-back-n"}; //!< of RoCEv2: go-back-n or selective-repeat
    std::string lossless{"auto"};      //!< PFC: on, off, or auto: on, except with swift
    double xoffAlpha{1};               //!< factor of the threshold XOFF

    /// Let a user set the options: --transport, --recovery, --lossless, --xoff-alpha.
    void AddTo(ExperimentParameters& parameters);

    /// Check the options.
    /// @param common the options of all experiments
    /// @throws std::runtime_error with what was expected, if one is not as it should be
    void Prepare(const ExperimentOptions& common) const;

    /// Check the links of a network before the first run.
    /// @throws std::runtime_error with what was expected, if the transport cannot use a link
    void CheckLinks(const FabricPlan& fabric) const;

    /// Check the links of all scenarios before the first run.
    /// @param plan the plan
    /// @param make makes the network of a scenario; called only if the transport needs it
    /// @throws std::runtime_error as above
    void CheckLinks(const ExperimentPlan& plan,
                    const std::function<FabricPlan(const std::string& scenario)>& make) const;

    /// Tell whether flows are over RoCEv2. @return whether they are
    bool IsRoce() const
    {
        return transport != "dctcp";
    }

    /// Tell whether packets have in-band telemetry. @return whether they have
    bool HasTelemetry() const
    {
        return transport == "hpcc";
    }

    /// @return whether the flows' class is lossless
    bool IsLossless() const
    {
        return lossless == "on" || (lossless == "auto" && IsRoce() && transport != "swift");
    }

    /// @return what to choose for RoCEv2, such as "--transport=dcqcn or swift"
    std::string GetRoceChoice() const;
};

/// The transport of the flows of a run: TCP, or RoCEv2 with priority flow control or without.
///
/// RoCEv2 has packets of 4096 bytes of payload. Its data and acknowledgments are class 3 of eight,
/// which is lossless; congestion notifications are class 6.
///
/// The headroom of PFC is added to a switch's buffer, so that the memory that ports share is the
/// same in lossless networks and others, and any length of link can be simulated.
///
/// The calls come in this order: Configure(), Build(), InstallFlows(), Simulate(). Build() stands
/// for FabricHelper::Build(), InstallSwitches(), FabricHelper::AssignAddresses() and
/// InstallHosts().
class ExperimentTransport
{
  public:
    /// The class of RoCEv2's data.
    static constexpr uint32_t DATA_CLASS = 3;

    /// @param options what the user has set
    explicit ExperimentTransport(const ExperimentTransportOptions& options);

    /// @return the factory of RoCEv2's congestion controls, whose attributes may be set before
    ///         InstallHosts()
    ObjectFactory& GetControl()
    {
        return m_control;
    }

    /// Set what comes before the network is built: TCP's global defaults, or the MTU.
    /// @param [in,out] network the network, not built yet
    /// @param dctcp the settings of TCP
    void Configure(FabricHelper& network, const DctcpSettings& dctcp = DctcpSettings()) const;

    /// Make the network's switches, lossless if that is wanted.
    /// @param switches makes them
    /// @param network the network, built
    void InstallSwitches(SharedBufferSwitchHelper switches, const FabricHelper& network);

    /// Give the hosts the adapters that RoCEv2 needs.
    /// @param network the network, with its addresses assigned
    void InstallHosts(const FabricHelper& network) const;

    /// Build a network with its switches, addresses, random variable streams and hosts.
    /// @param [in,out] network the network, configured
    /// @param fabric its plan
    /// @param switches makes its switches
    void Build(FabricHelper& network,
               const FabricPlan& fabric,
               const SharedBufferSwitchHelper& switches);

    /// Install the flows. The simulation stops when all flows that have an end are done.
    ///
    /// For flows of 0 bytes, which do not end, RoCEv2 sends as many bytes as the host's link can
    /// carry within the limit.
    /// @param network the network
    /// @param flows the flows
    /// @param name the name of the flow file, for errors
    /// @param limit when the simulation ends at the latest
    void InstallFlows(const FabricHelper& network,
                      const std::vector<FlowSpec>& flows,
                      const std::string& name,
                      Time limit);

    /// @return when the first flow that was installed begins
    Time GetBegin() const
    {
        return m_begin;
    }

    /// Simulate a run, record its network, and gather the records of its flows.
    /// @param run the run
    /// @param recorder the recorder, to which the network was added
    /// @param limit when the simulation ends at the latest
    /// @param delay the time from now to the start of what is recorded
    void Simulate(const ExperimentRun& run,
                  FabricRecorder& recorder,
                  Time limit,
                  Time delay = Time());

    /// @param device the port, null if none of its link's ends is of this process
    /// @return the queues of the flows' data there; none at a port of another process
    std::vector<Ptr<CoupledEcnQueue>> GetDataQueues(Ptr<NetDevice> device) const;

    /// @param device the port, as GetDataQueues() takes it
    /// @return the first queue of the flows' data there; null at a port of another process
    Ptr<CoupledEcnQueue> GetDataQueue(Ptr<NetDevice> device) const
    {
        const auto queues = GetDataQueues(device);
        return queues.empty() ? nullptr : queues.front();
    }

    /// @return the helper of the flows, which has their records
    FlowRecordsHelper& GetFlows()
    {
        return m_options.IsRoce() ? static_cast<FlowRecordsHelper&>(m_roce) : m_tcp;
    }

    /// Get the metrics that RoCEv2 adds.
    ///
    /// They are `retransmitted_packets`, `naks`, `timeouts`, `cnps` and `failed_queue_pairs`, and,
    /// if the class is lossless, `pauses`, `paused_time` (the sum over ports), `paused_share` (the
    /// mean over ports of the share of the time), `xoffs`, `unmarked_xoffs` and `ecn_over_xoff`
    /// (see PauseMonitor).
    /// @return the metrics; none with TCP
    std::vector<ResultMetric> GetMetrics(const FabricHelper& network) const;

  private:
    ExperimentTransportOptions m_options;   //!< what the user has set
    ObjectFactory m_control;                //!< makes congestion controls
    std::unique_ptr<PauseMonitor> m_pauses; //!< watches PFC, null without it
    Time m_begin;                           //!< when the first flow starts
    TcpFlowHelper m_tcp;                    //!< the flows over TCP
    RoceFlowHelper m_roce;                  //!< the flows over RoCEv2
};

/// @return the sum of a counter of the hosts' RoceNics; with several processes, each one asks at
///         the same point for its own hosts
double SumOverHosts(const NodeContainer& hosts, uint64_t RoceNicStatistics::* counter);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_TRANSPORT_H
