/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-header.h"

#include <cstddef>
#include <limits>
#include <string>

namespace ns3::aidc
{

namespace
{

/// Read the numbers of the first line.
TopologyHeader
ReadNumbers(WorkloadFileReader& reader)
{
    static constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max();
    static const std::string EXPECTED =
        "3 numbers: nodes switches links; PowerTCP's 4 numbers: nodes switches tors links; "
        "Reverie's 6 numbers: the same and two rates; or SimAI's 6 fields: nodes gpus_per_server "
        "nvswitches switches links gpu_type";

    if (!reader.Next())
    {
        reader.Fail(EXPECTED, "end of file");
    }
    const auto& fields = reader.GetFields();
    const std::size_t nFields = fields.size();
    if (nFields != 3 && nFields != 4 && nFields != 6)
    {
        reader.Fail(EXPECTED, reader.GetText());
    }
    TopologyHeader header;
    header.line = reader.GetLine();
    header.nNodes = static_cast<uint32_t>(reader.GetUnsigned(0, 1, MAX, "a number of nodes"));
    const uint64_t n = header.nNodes;
    // The type of GPU is a name; Reverie has rates there, which its links have again
    double rate = 0;
    const bool hasTors =
        nFields == 4 || (nFields == 6 && WorkloadFileReader::ParseNumber(fields[5], rate));
    if (nFields == 3 || hasTors)
    {
        header.nSwitches = reader.GetUnsigned(1, 0, n, "a number of switches");
        if (hasTors)
        {
            // Not used, as in the simulators
            reader.GetUnsigned(2, 0, header.nSwitches, "a number of ToR switches");
        }
        header.nLinks = reader.GetUnsigned(hasTors ? 3 : 2, 0, MAX, "a number of links");
        return header;
    }
    header.gpusPerServer =
        static_cast<uint32_t>(reader.GetUnsigned(1, 1, MAX, "a number of GPUs of a server"));
    header.nNvSwitches = reader.GetUnsigned(2, 0, n, "a number of NVSwitches");
    header.nSwitches =
        reader.GetUnsigned(3, 0, n - header.nNvSwitches, "a number of switches without NVSwitches");
    header.nLinks = reader.GetUnsigned(4, 0, MAX, "a number of links");
    const uint64_t nGpus = n - header.nNvSwitches - header.nSwitches;
    if (nGpus == 0 || nGpus % header.gpusPerServer != 0)
    {
        reader.Fail("a number of GPUs, nodes without switches, that is a multiple of the " +
                        std::to_string(header.gpusPerServer) + " of a server",
                    std::to_string(nGpus));
    }
    return header;
}

/// Read the ids of switches. header: what the first line announces.
void
ReadSwitches(WorkloadFileReader& reader, TopologyHeader& header)
{
    const uint64_t nIds = header.nNvSwitches + header.nSwitches;
    if (nIds == 0)
    {
        return;
    }
    reader.Require(nIds,
                   nIds == 1 ? "the id of 1 switch"
                             : std::to_string(nIds) + " ids of switches" +
                                   (header.gpusPerServer == 0 ? "" : ", NVSwitches first"));
    for (std::size_t i = 0; i < nIds; ++i)
    {
        const NodeIndex id(static_cast<uint32_t>(
            reader.GetUnsigned(i, 0, header.nNodes - 1, "the id of a switch")));
        if (!header.allSwitches.insert(id).second)
        {
            reader.Fail("each switch once", std::to_string(id.value) + " twice");
        }
        if (i < header.nNvSwitches)
        {
            header.nvSwitches.insert(id);
        }
        else
        {
            header.switches.push_back(id);
        }
    }
}

} // namespace

TopologyHeader
TopologyHeader::Read(WorkloadFileReader& reader)
{
    auto header = ReadNumbers(reader);
    ReadSwitches(reader, header);
    return header;
}

} // namespace ns3::aidc
