/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "two-sites-findings.h"

#include "ns3/experiment-findings.h"

#include <vector>

namespace ns3::aidc
{

namespace
{

/// What a scheme is judged by.
struct Question
{
    std::string scheme;      //!< the scheme
    std::string subject;     //!< its mechanism, in words
    std::string chapter;     //!< the chapter of the mechanism
    std::string metric;      //!< what is compared
    bool isLessBetter{true}; //!< whether a smaller value is better
    std::string what;        //!< what the metric is, as the subject of a sentence with "is"
};

/// Get what schemes are judged by. @return that, in the order to show
std::vector<Question>
GetQuestions()
{
    const std::string step = "the training step takes";
    std::vector<Question> questions{
        {"coupled-ecn",
         "coupled ECN",
         "coupled-ecn",
         "unmarked_xoffs",
         true,
         "the number of XOFFs that come before any mark is"},
        {"coupled-ecn", "coupled ECN", "coupled-ecn", "paused_time", true, "ports are paused for"},
        {"flow-set",
         "flow sets",
         "flow-set",
         "load_imbalance",
         true,
         "the imbalance of uplinks (largest less smallest, over the mean) is"},
        {"flow-set", "flow sets", "flow-set", "elephant_fct", true, "an elephant takes"},
        {"fare",
         "FARE",
         "fare",
         "degraded_misfit",
         true,
         "the share of traffic that the degraded link carries misses its share of capacity by"},
        {"fare",
         "FARE",
         "fare",
         "leaf_slowdown",
         true,
         "the mean slowdown of flows by the leaf of the degraded link is"},
        {"pre-ecn",
         "pre-ECN",
         "wan",
         "reaction_time",
         true,
         "the first reaction to congestion in the WAN comes after"},
        {"pre-ecn", "pre-ECN", "wan", "wan_drops", true, "core routers drop"},
        {"csig",
         "CSIG",
         "csig",
         "waiting_port_named",
         false,
         "the share of right answers to the question where packets wait longest is"},
        {"csig",
         "CSIG",
         "csig",
         "full_port_named",
         false,
         "the share of right answers to the question which port has the least bandwidth left is"}};
    const std::vector<Question> steps{
        {"coupled-ecn", "coupled ECN", "coupled-ecn", "step_time", true, step},
        {"flow-set", "flow sets", "flow-set", "step_time", true, step},
        {"fare", "FARE", "fare", "step_time", true, step},
        {"pre-ecn", "pre-ECN", "wan", "step_time", true, step},
        {"csig", "Swift with CSIG", "congestion-control", "step_time", true, step},
        {"all", "all five", "two-sites", "step_time", true, step}};
    questions.insert(questions.end(), steps.begin(), steps.end());
    return questions;
}

} // namespace

void
AddTwoSitesFindings(ExperimentSummary& summary, const std::string& scenario)
{
    for (const auto& question : GetQuestions())
    {
        summary.AddFinding(
            {question.subject,
             scenario,
             question.scheme,
             "baseline",
             question.metric,
             question.isLessBetter,
             question.chapter},
            [&question](const ExperimentFinding& finding) {
                return MakeComparisonSentence(finding, question.subject, question.what, "without");
            });
    }
}

} // namespace ns3::aidc
