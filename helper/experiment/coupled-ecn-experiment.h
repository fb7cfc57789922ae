/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COUPLED_ECN_EXPERIMENT_H
#define AIDC_COUPLED_ECN_EXPERIMENT_H

#include "coupled-ecn-scenario.h"
#include "experiment-base.h"
#include "experiment-switch-options.h"
#include "experiment-transport.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::CoupledEcnExperiment declaration.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment coupled-ecn: an ECN threshold coupled to a switch's shared buffer, against
 *        two static thresholds.
 *
 * The problem statement of the draft "Dynamic ECN Threshold" (Yang et al., March 2026; section 4)
 * as an experiment: a 48-port 100 Gb/s switch with 12 MB of shared buffer, DCTCP hosts.
 *
 *     hosts ----\            /---- host 0   <- watched port
 *                +-- switch +----- host 1
 *     hosts ----/  (12 MB)   \---- ...
 *
 * Schemes: static-low marks from 200 KB on (--static-low), static-high from 2 MB on, coupled from
 * Buf_Thrd - Offset on, with the Offset and the ECN_Floor that the switch helper derives from the
 * links (rate times RTT and one MTU; a seventh of that within 30 KB to 100 KB).
 *
 * More schemes: red marks with the band 200 KB to 2 MB, proportional from half of Buf_Thrd on, and
 * static-best runs thresholds from 25 KB to 3.2 MB. Of these, static-best is the one with the most
 * goodput (in step and where flows end, the least 99th percentile of the FCT) in each scenario, and
 * static-overall the one whose worst scenario is the least behind static-best.
 *
 * Scenarios:
 *  - light: 4 receivers with 2 long-lived senders each; RTT 200 us, so that a seventh of the
 *    bandwidth-delay product, what DCTCP needs (RFC 8257), is 357 KB
 *  - incast: 48 receivers, all at once, with 2 senders each of 5 MB; RTT 12 us
 *  - incast-capped: the same with a static cap of 250 KB a queue, the draft's section 4 number
 *  - mix: flows between any two hosts, arriving at random, of sizes drawn from a file; RTT 12 us
 *  - active-N: N receivers (1 to 48) with 2 long-lived senders each; RTT 12 us
 *  - step: 4 receivers with 2 long-lived senders each; after a sixth of the time, 44 others get
 *    1 MB from 2 senders each; RTT 12 us
 *  - unresponsive: active-4, while another port gets twice its rate of UDP that is not ECN-capable
 *  - file: the flows of --flows
 *
 * The draft says that static-low wastes throughput in light, that static-high drops before it marks
 * in incast, and that coupled does neither.
 *
 * With DCQCN over PFC (--transport=dcqcn) nothing is dropped, and what counts is who comes first,
 * ECN_Thrd or XOFF; incast-capped is left out, since a cap drops.
 *
 * Beside the files of ExperimentRunner there is queue-SCENARIO-SCHEME.csv, the watched queue (see
 * EcnQueueMonitor).
 */
class CoupledEcnExperiment : public ExperimentBase
{
  public:
    CoupledEcnExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run, const MpiRanks& ranks) override;

    /**
     * @brief Add static-best and static-overall to the summary.
     * @param[in,out] summary the summary, with the runs of all static thresholds
     */
    void AddBestStatic(ExperimentSummary& summary);

    /**
     * @brief Make what installs the switches.
     * @param scheme the scheme
     * @param isCapped whether queues have a static cap
     * @return the helper
     */
    SharedBufferSwitchHelper MakeSwitches(const std::string& scheme, bool isCapped) const;

    /**
     * @brief Get the threshold of a static scheme.
     * @param scheme the scheme
     * @return bytes
     */
    uint32_t GetStaticThreshold(const std::string& scheme) const;

    CoupledEcnTraffic m_traffic;            //!< what the scenarios are made from
    ExperimentSwitchOptions m_switch;       //!< the switch; its cap is that of incast-capped
    uint32_t m_staticLow{200000};           //!< threshold of static-low
    uint32_t m_staticHigh{2000000};         //!< threshold of static-high
    ExperimentTransportOptions m_transport; //!< what carries the flows
};

} // namespace ns3::aidc

#endif // AIDC_COUPLED_ECN_EXPERIMENT_H
