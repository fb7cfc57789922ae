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

/// What a mechanism is judged by.
struct Question
{
    std::string metric;      //!< what is compared
    std::string label;       //!< the metric as a short noun phrase
    std::string text;        //!< the sentence, with {} for the value
    bool isLessBetter{true}; //!< whether a smaller value is better
    bool isShare{false};     //!< whether the value is printed in percent
};

/// A mechanism, or several of them.
struct Mechanism
{
    std::string scheme;          //!< the scheme that has it
    std::string subject;         //!< what it is called
    std::string chapter;         //!< its chapter
    std::vector<Question> goals; //!< what it is for
    std::string with{};          //!< what "With" is followed by; empty for the subject
    std::string stepChapter{};   //!< the chapter on what the step takes with it; empty for chapter
    std::string other{"baseline"};     //!< the scheme that it is compared with
    std::string otherName{"baseline"}; //!< what that is called in sentences
};

/// @return the mechanisms that are compared with the baseline, and what they are for
std::vector<Mechanism>
GetMechanisms()
{
    return {
        {"coupled-ecn",
         "coupled ECN",
         "coupled-ecn",
         {{"unmarked_xoffs",
           "XOFFs before any mark",
           "With coupled ECN, {} XOFFs come before any mark"},
          {"paused_time", "time in pause", "With coupled ECN, ports are paused for {}"}}},
        {"flow-set",
         "flow sets",
         "flow-set",
         {{"load_imbalance",
           "imbalance of uplinks",
           "With flow sets, the imbalance of uplinks (largest load less smallest, over the mean) "
           "is "
           "{}"},
          {"elephant_fct", "FCT of elephants", "With flow sets, an elephant takes {}"}}},
        {"fare",
         "FARE",
         "fare",
         {{"degraded_misfit",
           "misfit of the degraded link",
           "With FARE, the degraded link's share of traffic misses its share of capacity by {}"},
          {"leaf_slowdown",
           "slowdown at its leaf",
           "With FARE, flows at the leaf of the degraded link have a mean slowdown of {}"}}},
        {"pre-ecn",
         "pre-ECN",
         "pre-ecn",
         {{"reaction_time",
           "reaction to WAN congestion",
           "With pre-ECN, the first reaction to congestion in the WAN comes after {}"},
          {"wan_drops", "drops in the WAN", "With pre-ECN, core routers drop {} packets"}}},
        {"csig",
         "CSIG",
         "csig",
         {{"waiting_port_named",
           "names the longest wait",
           "CSIG names the port with the longest wait in {} of samples",
           false,
           true},
          {"full_port_named",
           "names the fullest port",
           "CSIG names the port with the least bandwidth left in {} of samples",
           false,
           true}},
         "Swift on CSIG",
         "congestion-control"},
        {"all", "all five", "two-sites", {}},
        {"fare-pre-ecn", "FARE and pre-ECN", "two-sites", {}}};
}

/// @return the schemes that lack one mechanism, which are compared with that of all
std::vector<Mechanism>
GetOneLeftOut()
{
    std::vector<Mechanism> schemes;
    for (const auto& mechanism : GetMechanisms())
    {
        if (!mechanism.goals.empty())
        {
            const auto subject = "all but " + mechanism.subject;
            schemes.push_back({"all-but-" + mechanism.scheme,
                               subject,
                               "two-sites",
                               {},
                               subject,
                               "two-sites",
                               "all",
                               "all five"});
        }
    }
    return schemes;
}

/// Add the findings of a mechanism.
/// @param [in,out] summary all runs
/// @param scenario the scenario
/// @param mechanism the mechanism
void
AddFindings(ExperimentSummary& summary, const std::string& scenario, const Mechanism& mechanism)
{
    const auto add = [&](const Question& question, const std::string& chapter, bool isGoal) {
        const std::string baseline =
            mechanism.scheme == "csig" && isGoal ? "a guess" : mechanism.otherName;
        summary.AddFinding({mechanism.subject,
                            scenario,
                            mechanism.scheme,
                            mechanism.other,
                            question.metric,
                            question.isLessBetter,
                            chapter,
                            question.label,
                            isGoal,
                            question.isShare},
                           [&](const ExperimentFinding& finding) {
                               return MakeComparisonSentence(finding, question.text, baseline);
                           });
    };
    const auto& with = mechanism.with.empty() ? mechanism.subject : mechanism.with;
    add({"step_time", "training step", "With " + with + ", a training step takes {}"},
        mechanism.stepChapter.empty() ? mechanism.chapter : mechanism.stepChapter,
        false);
    for (const auto& question : mechanism.goals)
    {
        add(question, mechanism.chapter, true);
    }
}

} // namespace

void
AddTwoSitesFindings(ExperimentSummary& summary, const std::string& scenario)
{
    for (const auto& mechanisms : {GetMechanisms(), GetOneLeftOut()})
    {
        for (const auto& mechanism : mechanisms)
        {
            AddFindings(summary, scenario, mechanism);
        }
    }
}

} // namespace ns3::aidc
