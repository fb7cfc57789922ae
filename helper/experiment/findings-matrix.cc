/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "findings-matrix.h"

#include "terminal-text.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The lines of a cell.
using Cell = std::vector<std::string>;

/// A row of the matrix.
struct Row
{
    std::string name; //!< the subject or the baseline
    Cell effects;     //!< side effects
    Cell goals;       //!< what the subject is for
};

/// What is compared with a baseline in a scenario.
using Group = std::vector<const ExperimentFinding*>;

/// The fewest characters for goals beside the other columns.
constexpr std::size_t LEAST_GOALS = 30;

/// The blanks between columns.
constexpr std::size_t GAP = 2;

/// @param findings the findings
/// @return the same by scenario and baseline, in the order of their first ones
std::vector<Group>
GroupByBaseline(const std::vector<ExperimentFinding>& findings)
{
    std::vector<Group> groups;
    for (const auto& finding : findings)
    {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            const auto& first = group.front()->comparison;
            return first.scenario == finding.comparison.scenario &&
                   first.baseline == finding.comparison.baseline;
        });
        found == groups.end() ? groups.push_back({&finding}) : found->push_back(&finding);
    }
    return groups;
}

/// @param text a text
/// @param width the characters of a column
/// @param isLeft whether the text is flush left
/// @return the text with blanks
std::string
Pad(const std::string& text, std::size_t width, bool isLeft = true)
{
    const auto n = CountCharacters(text);
    const std::string blanks(n < width ? width - n : 0, ' ');
    return isLeft ? text + blanks : blanks + text;
}

/// @param cells some cells
/// @return the characters of the widest line
std::size_t
GetWidth(const Cell& cells)
{
    std::size_t width = 0;
    for (const auto& line : cells)
    {
        width = std::max(width, CountCharacters(line));
    }
    return width;
}

/// @param group findings of one baseline
/// @return the labels of side effects
std::set<std::string>
GetEffects(const Group& group)
{
    std::set<std::string> labels;
    for (const auto* finding : group)
    {
        if (!finding->comparison.isGoal)
        {
            labels.insert(finding->comparison.label);
        }
    }
    return labels;
}

/// Make the rows of a matrix.
/// @param group findings of one baseline
/// @param isLabeled whether cells of side effects have their labels
/// @return the row of the baseline, if it has a side effect, and those of subjects
std::vector<Row>
MakeRows(const Group& group, bool isLabeled)
{
    std::size_t width = 0;
    for (const auto* finding : group)
    {
        if (!finding->comparison.isGoal)
        {
            width = std::max({width,
                              CountCharacters(finding->Print(finding->median)),
                              CountCharacters(finding->Print(finding->baselineMedian))});
        }
    }
    Row baseline{group.front()->comparison.baseline, {}, {}};
    std::vector<Row> rows;
    for (const auto* finding : group)
    {
        const auto& comparison = finding->comparison;
        auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& known) {
            return known.name == comparison.subject;
        });
        row = row == rows.end() ? rows.insert(row, {comparison.subject, {}, {}}) : row;
        const auto verdict = PrintVerdict(finding->verdict);
        if (comparison.isGoal)
        {
            row->goals.push_back(verdict + ": " + comparison.label + " " +
                                 finding->Print(finding->median) + " (" +
                                 finding->Print(finding->baselineMedian) + ")");
            continue;
        }
        const auto begin = isLabeled ? comparison.label + " " : std::string();
        row->effects.push_back(begin + Pad(finding->Print(finding->median), width, false) + "  " +
                               verdict);
        const auto own = begin + Pad(finding->Print(finding->baselineMedian), width, false);
        if (std::find(baseline.effects.begin(), baseline.effects.end(), own) ==
            baseline.effects.end())
        {
            baseline.effects.push_back(own);
        }
    }
    if (!baseline.effects.empty())
    {
        rows.insert(rows.begin(), std::move(baseline));
    }
    return rows;
}

/// Break the lines of goals.
/// @param goals the lines
/// @param width the characters of a line
/// @return the broken lines
Cell
WrapGoals(const Cell& goals, std::size_t width)
{
    Cell lines;
    for (const auto& goal : goals)
    {
        std::istringstream wrapped(WrapText(goal, width, GAP));
        for (std::string line; std::getline(wrapped, line);)
        {
            lines.push_back(line);
        }
    }
    return lines;
}

/// Print the matrix of a baseline.
/// @param os the stream to print to
/// @param group its findings
/// @param name what the matrix is called; may be empty
/// @param width the characters of a line
void
PrintGroup(std::ostream& os, const Group& group, const std::string& name, std::size_t width)
{
    const auto labels = GetEffects(group);
    auto rows = MakeRows(group, labels.size() > 1);
    const bool hasGoals =
        std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.goals.empty(); });
    Row header{name, {}, {}};
    if (!labels.empty())
    {
        header.effects.push_back(labels.size() == 1 ? *labels.begin() : "side effects");
    }
    if (hasGoals)
    {
        header.goals.push_back(
            "what it is for (in parentheses: " + group.front()->comparison.baseline + ")");
    }
    rows.insert(rows.begin(), std::move(header));

    std::size_t names = 0;
    std::size_t effects = 0;
    for (const auto& row : rows)
    {
        names = std::max(names, CountCharacters(row.name));
        effects = std::max(effects, GetWidth(row.effects));
    }
    const std::size_t begin = names + GAP + (effects > 0 ? effects + GAP : 0);
    const bool isBeside = begin + LEAST_GOALS <= width;
    const std::size_t indent = isBeside ? begin : GAP;
    for (const auto& row : rows)
    {
        const auto goals = WrapGoals(row.goals, width > indent ? width - indent : 1);
        const std::size_t nBeside = isBeside ? goals.size() : 0;
        const std::size_t nLines = std::max({std::size_t{1}, row.effects.size(), nBeside});
        for (std::size_t i = 0; i < nLines; ++i)
        {
            auto line = Pad(i == 0 ? row.name : "", names + GAP);
            line += Pad(i < row.effects.size() ? row.effects[i] : "", begin - names - GAP);
            line += i < nBeside ? goals[i] : "";
            line.erase(line.find_last_not_of(' ') + 1);
            os << line << "\n";
        }
        for (std::size_t i = nBeside; i < goals.size(); ++i)
        {
            os << std::string(indent, ' ') << goals[i] << "\n";
        }
    }
}

} // namespace

void
PrintFindingsMatrix(std::ostream& os,
                    const std::vector<ExperimentFinding>& findings,
                    std::size_t width)
{
    const auto groups = GroupByBaseline(findings);
    const bool hasScenarios = std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
        return group.front()->comparison.scenario != groups.front().front()->comparison.scenario;
    });
    for (const auto& group : groups)
    {
        os << (&group == &groups.front() ? "" : "\n");
        PrintGroup(os, group, hasScenarios ? group.front()->comparison.scenario : "", width);
    }
}

} // namespace ns3::aidc
