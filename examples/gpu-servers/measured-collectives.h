/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MEASURED_COLLECTIVES_H
#define AIDC_MEASURED_COLLECTIVES_H

#include "ns3/aidc-input-error.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-values.h"
#include "ns3/nccl-settings.h"
#include "ns3/server-fabric.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief An all-reduce whose time a cluster has measured: a row of a file such as
 *        examples/data/measured/collectives.csv.
 */
struct MeasuredCollective
{
    std::string name; //!< of the row, TABLE-SIZE
    /// What the row is for: fitted, predicted, simulator (another one's result) or fault (of that
    /// cluster).
    std::string use;
    CollectiveScheduleSettings settings;         //!< what it is, with the costs that NCCL publishes
    NcclProtocol protocol{NcclProtocol::SIMPLE}; //!< how data is moved
    uint64_t adapter{0};                         //!< bit/s of a GPU's adapter
    uint64_t scaleUp{0};                         //!< bit/s of a GPU's link to the scale-up switch
    double seconds{0};                           //!< the time that was measured
    std::optional<uint64_t> post;                //!< fitted CollectiveCosts::post
    std::optional<uint64_t> between;             //!< fitted latency between servers, ns
    std::optional<uint64_t> rate;                //!< fitted rate of a channel, byte/us

    /// @param time seconds
    /// @return the bus bandwidth as NCCL's tests define it, byte/s
    double GetBusBandwidth(double time) const
    {
        const double n = settings.nMembers;
        return 2 * (n - 1) / n * static_cast<double>(settings.bytes) / time;
    }

    /// @param costs none, nccl (as NCCL publishes them) or fitted (with those of the row)
    /// @return the collective with these costs
    CollectiveScheduleSettings MakeSettings(const std::string& costs) const
    {
        auto result = settings;
        if (costs == "none")
        {
            result.costs = CollectiveCosts();
        }
        if (costs == "fitted")
        {
            result.costs.post = post.value_or(result.costs.post);
            result.costs.between.latency = between.value_or(result.costs.between.latency);
            result.costs.inside.rate = result.costs.between.rate =
                static_cast<uint32_t>(rate.value_or(0));
        }
        return result;
    }

    /// @return the servers, each of whose GPUs has an adapter on a rail of one switch
    ServerFabric MakeNetwork() const
    {
        auto layout = GetServerFabricTemplate("spectrum-x");
        layout.gpus = settings.nMembers;
        layout.gpusPerServer = settings.nPerServer;
        layout.spines = 1;
        layout.hostRate = layout.spineRate = adapter;
        layout.scaleUp.rate = scaleUp;
        return MakeServerFabric(layout);
    }
};

namespace
{

/// The first line of the table.
constexpr const char* HEADER = "row,use,algorithm,protocol,servers,gpus,adapter,scale_up,channels,"
                               "bytes,measured,unit,post,between,rate,source";

/// The fields of a line of the table, and where it is.
class TableLine
{
  public:
    TableLine(const std::string& file, uint32_t line, const std::string& text)
        : m_file(file),
          m_line(line)
    {
        std::istringstream stream(text);
        for (std::string field; std::getline(stream, field, ',');)
        {
            m_fields.push_back(field);
        }
        if (m_fields.size() != N_FIELDS)
        {
            Fail("16 fields", text);
        }
    }

    /// Take the next field. @return its text
    std::string TakeText()
    {
        return m_fields.at(m_next++);
    }

    /// Take the next field, which is one of some words. @return the word
    std::string TakeWord(const std::vector<std::string>& words)
    {
        const std::string word = TakeText();
        if (std::find(words.begin(), words.end(), word) == words.end())
        {
            Fail("one of " + JoinWords(words, ", "), word);
        }
        return word;
    }

    /// Take the next field, a number from least to most. @return the number
    double TakeNumber(double least, double most)
    {
        const std::string field = TakeText();
        double value = 0;
        std::istringstream stream(field);
        if (!(stream >> value) || !stream.eof() || !(value >= least && value <= most))
        {
            std::ostringstream range;
            range << "a number from " << least << " to " << most;
            Fail(range.str(), field);
        }
        return value;
    }

    /// Take the next field, which may be empty. @return the number, up to a million
    std::optional<uint64_t> TakeOptional()
    {
        if (m_fields.at(m_next).empty())
        {
            ++m_next;
            return std::nullopt;
        }
        return static_cast<uint64_t>(TakeNumber(0, 1e6));
    }

    [[noreturn]] void Fail(const std::string& expected, const std::string& found) const
    {
        throw AidcInputError(m_file, m_line, expected, found);
    }

  private:
    static constexpr std::size_t N_FIELDS = 16; //!< of a line

    std::string m_file;                //!< the name of the file
    uint32_t m_line;                   //!< the number of the line
    std::vector<std::string> m_fields; //!< its fields
    std::size_t m_next{0};             //!< the one to take
};

/// Read a row of the table. @return the row
MeasuredCollective
ReadRow(TableLine& line)
{
    MeasuredCollective row;
    row.name = line.TakeText();
    row.use = line.TakeWord({"fitted", "predicted", "simulator", "fault"});
    auto& settings = row.settings;
    ParseCollectiveAlgorithm(line.TakeWord({"ring", "double-tree", "nvls"}), settings.algorithm);
    ParseNcclProtocol(line.TakeWord({"simple", "ll", "ll128"}), row.protocol);
    const auto nServers = static_cast<uint32_t>(line.TakeNumber(1, 64));
    settings.nPerServer = static_cast<uint32_t>(line.TakeNumber(1, 64));
    settings.nMembers = nServers * settings.nPerServer;
    row.adapter = static_cast<uint64_t>(1e9 * line.TakeNumber(1, 10000));
    row.scaleUp = static_cast<uint64_t>(1e9 * line.TakeNumber(1, 100000));
    settings.nChannels =
        static_cast<uint32_t>(line.TakeNumber(1, CollectiveScheduleSettings::MAX_CHANNELS));
    settings.bytes = static_cast<uint64_t>(line.TakeNumber(1, 1e12));
    const double measured = line.TakeNumber(1e-3, 1e12);
    const bool isTime = line.TakeWord({"us", "GB/s"}) == "us";
    row.seconds = isTime ? 1e-6 * measured : row.GetBusBandwidth(1) / (1e9 * measured);
    row.post = line.TakeOptional();
    row.between = line.TakeOptional();
    row.rate = line.TakeOptional();
    if (settings.nMembers < 2)
    {
        line.Fail("at least two GPUs", row.name);
    }
    try
    {
        UseNcclSettings(settings, row.protocol);
        settings.Check();
    }
    catch (const std::invalid_argument& error)
    {
        line.Fail(std::string("a collective that fits (") + error.what() + ")", row.name);
    }
    return row;
}

} // namespace

/// @ingroup aidc
/// @param name the file, as FindDataFile()
/// @return its rows
/// @throws AidcInputError if there is no such file, or a line is not as expected
inline std::vector<MeasuredCollective>
ReadMeasuredCollectives(const std::string& name)
{
    const std::string file = FindDataFile(name);
    std::ifstream stream(file);
    std::string text;
    std::getline(stream, text);
    if (text != HEADER)
    {
        throw AidcInputError(file, 1, HEADER, text);
    }
    std::vector<MeasuredCollective> rows;
    for (uint32_t number = 2; std::getline(stream, text); ++number)
    {
        TableLine line(file, number, text);
        rows.push_back(ReadRow(line));
    }
    return rows;
}

} // namespace ns3::aidc

#endif // AIDC_MEASURED_COLLECTIVES_H
