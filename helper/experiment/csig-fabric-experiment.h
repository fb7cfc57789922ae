/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_EXPERIMENT_H
#define AIDC_CSIG_FABRIC_EXPERIMENT_H

#include "csig-fabric-settings.h"
#include "experiment-base.h"

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::CsigFabricExperiment declaration.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment csig-fabric: what CSIG reports of a fat-tree, and what its users make of
 * it.
 *
 * The draft "Congestion Signaling (CSIG)" (Ravi et al., February 2024) on a fat-tree (k = 8, 128
 * hosts, 100 Gb/s links) of Ethernet switches that update tags of the expanded format. The locator
 * has stage, orientation, device and port.
 *
 * Scenarios, and the schemes of each:
 *  - accuracy: DCTCP flows at 50 % load; what tags report against what the simulator knows
 *    (CsigTruthMonitor). interval, ewma, dre: how ports estimate their rate
 *  - degraded-link: a link between a leaf and a spine has a quarter of its speed; a mesh of UDP
 *    probes (CsigMeshProber) looks for it by their tags alone. idle-mesh: nothing else is sent;
 *    loaded-mesh: DCTCP flows at 30 % load
 *  - hot-spot: each host sends to its counterpart in the next pod at a constant rate, so that there
 *    is room for all, if hashes did not collide. hash: no flow changes its path; csig-blind: a flow
 *    changes it for any congestion; csig-balancer: for congestion in the core only
 *    (CsigPathBalancer)
 *  - incast: hosts of all other pods send to one host at once, while the rest is as in hot-spot;
 * the same schemes
 *  - engineering: the first uplink of each leaf has 40 Gb/s; DCTCP flows at 50 % load. equal:
 *    uplinks have equal weights; csig-weights: weights follow the available share of the capacity
 *    (CsigPathEngineer)
 *
 * With RoCEv2 (--transport) there are other scenarios, of senders that use the signals. Schemes:
 * dcqcn; Swift on the delay of the round trip (round-trip) and on max(PD) (max-pd), which begin
 * with a bandwidth-delay product; on max(PD) from ten packets on (ten-packets); and that with jump
 * start from min(ABW) (jump-start):
 *  - senders-mix: flows at 50 % load
 *  - senders-incast: the flows of incast, without a rate
 *
 * Beside the files of ExperimentRunner there are
 *  - accuracy.csv: error and lag by scheme and signal
 *  - truth-accuracy-SCHEME.csv: tags and their truth, one in a hundred
 *  - heat-SCENARIO-SCHEME.csv: which ports tags name as bottlenecks, by time (CsigCollector)
 *  - pairs-SCENARIO-SCHEME.csv: signals by leaf of the source and of the destination, by time
 *  - ranking-degraded-link-SCHEME.csv: the bottlenecks by rank
 *  - weights-engineering-SCHEME.csv: the weights of the leaves' uplinks in the end
 */
class CsigFabricExperiment : public ExperimentBase
{
  public:
    CsigFabricExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run, const MpiRanks& ranks) override;

    /// Let a user set what does not choose scenarios and schemes.
    void AddSettings();

    /**
     * @brief Let the scenarios, schemes and metrics follow from the transport.
     * @param[in,out] plan the plan
     * @throws std::runtime_error if the scenarios do not fit the transport
     */
    void PrepareSenders(ExperimentPlan& plan) const;

    /**
     * @brief Build the network of a run, simulate and measure.
     * @param run the scenario and the scheme
     * @return what the run has told
     */
    ExperimentOutcome RunScenario(const ExperimentRun& run) const;

    CsigFabricSettings m_settings; //!< what the user has set
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_EXPERIMENT_H
