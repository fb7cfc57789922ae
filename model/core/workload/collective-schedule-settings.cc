// SPDX-License-Identifier: GPL-2.0-only

#include "collective-schedule-settings.h"

#include "../require-argument.h"
#include "text-reader.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// The names of the kinds.
constexpr std::array<const char*, 5> KINDS = {"all-reduce",
                                              "all-gather",
                                              "reduce-scatter",
                                              "all-to-all",
                                              "broadcast"};
/// The names of the algorithms.
constexpr std::array<const char*, 10> ALGORITHMS = {"ring",
                                                    "halving-doubling",
                                                    "recursive-doubling",
                                                    "pairwise",
                                                    "binomial-tree",
                                                    "chain",
                                                    "double-tree",
                                                    "hierarchical",
                                                    "direct",
                                                    "nvls"};

} // namespace

const char*
GetCollectiveName(CollectiveKind kind)
{
    return KINDS.at(static_cast<std::size_t>(kind));
}

const char*
GetCollectiveAlgorithmName(CollectiveAlgorithm algorithm)
{
    return ALGORITHMS.at(static_cast<std::size_t>(algorithm));
}

bool
ParseCollectiveKind(const std::string& name, CollectiveKind& kind)
{
    return ParseName(KINDS, name, kind);
}

bool
ParseCollectiveAlgorithm(const std::string& name, CollectiveAlgorithm& algorithm)
{
    return ParseName(ALGORITHMS, name, algorithm);
}

const std::vector<CollectiveAlgorithm>&
GetCollectiveAlgorithms(CollectiveKind kind)
{
    using A = CollectiveAlgorithm;
    static const std::array<std::vector<A>, KINDS.size()> BY_KIND{{{A::RING,
                                                                    A::HALVING_DOUBLING,
                                                                    A::RECURSIVE_DOUBLING,
                                                                    A::DOUBLE_TREE,
                                                                    A::HIERARCHICAL,
                                                                    A::NVLS},
                                                                   {A::RING, A::HALVING_DOUBLING},
                                                                   {A::RING, A::HALVING_DOUBLING},
                                                                   {A::DIRECT, A::PAIRWISE},
                                                                   {A::BINOMIAL_TREE, A::CHAIN}}};
    return BY_KIND.at(static_cast<std::size_t>(kind));
}

double
GetBusFactor(CollectiveKind kind, uint32_t nMembers)
{
    const double share = (nMembers - 1.0) / nMembers;
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return 2 * share;
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::ALL_TO_ALL:
        return share;
    case CollectiveKind::BROADCAST:
        break;
    }
    return 1;
}

CollectiveBandwidth
GetCollectiveBandwidth(CollectiveKind kind, uint32_t nMembers, uint64_t bytes, double seconds)
{
    const double algorithm = static_cast<double>(bytes) / seconds;
    return {algorithm, algorithm * GetBusFactor(kind, nMembers)};
}

namespace
{

constexpr uint64_t MAX_BYTES = CollectiveScheduleSettings::MAX_BYTES; //!< the most of a member

/// Add up sizes. sum: the sum so far, at most MAX_BYTES.
void
AddUp(uint64_t& sum, uint64_t bytes, const char* what, std::size_t member)
{
    if (bytes > MAX_BYTES - sum)
    {
        throw std::invalid_argument("member " + std::to_string(member) + " " + what +
                                    " more than 2^60 bytes");
    }
    sum += bytes;
}

} // namespace

CollectiveSizes::CollectiveSizes(const std::vector<std::vector<uint64_t>>& rows)
    : m_n(static_cast<uint32_t>(std::min<std::size_t>(rows.size(), MAX_MEMBERS)))
{
    AIDC_REQUIRE(!rows.empty() && rows.size() <= MAX_MEMBERS,
                 "sizes have from 1 to " + std::to_string(MAX_MEMBERS) + " rows, not " +
                     std::to_string(rows.size()));
    for (std::size_t row = 0; row < rows.size(); ++row)
    {
        AIDC_REQUIRE(rows[row].size() == rows.size(),
                     "row " + std::to_string(row) + " of the sizes has " +
                         std::to_string(rows.size()) + " columns, not " +
                         std::to_string(rows[row].size()));
    }
    m_sent.reserve(rows.size() * (rows.size() + 1));
    m_received.reserve(rows.size() * (rows.size() + 1));
    for (std::size_t member = 0; member < rows.size(); ++member)
    {
        uint64_t sent = 0;
        uint64_t received = 0;
        m_sent.push_back(0);
        m_received.push_back(0);
        for (std::size_t other = 0; other < rows.size(); ++other)
        {
            AddUp(sent, rows[member][other], "sends", member);
            AddUp(received, rows[other][member], "gets", member);
            m_sent.push_back(sent);
            m_received.push_back(received);
        }
        m_bytes = std::max({m_bytes, sent, received});
    }
}

CollectiveSizes
MakeSkewedSizes(uint32_t nMembers, uint64_t bytes, uint32_t hot, double factor)
{
    AIDC_REQUIRE(nMembers >= 2 && nMembers <= CollectiveSizes::MAX_MEMBERS && hot < nMembers,
                 "one of 2 to " + std::to_string(CollectiveSizes::MAX_MEMBERS) +
                     " members gets the most, not member " + std::to_string(hot) + " of " +
                     std::to_string(nMembers));
    AIDC_REQUIRE(bytes <= MAX_BYTES / nMembers,
                 "all members together have at most 2^60 bytes to send");
    AIDC_REQUIRE(factor >= 1 && factor <= nMembers,
                 "the load of a member over the mean is from 1 to " + std::to_string(nMembers) +
                     ", not " + std::to_string(factor));
    const auto most = std::min<uint64_t>(
        bytes,
        static_cast<uint64_t>(std::llround(factor * static_cast<double>(bytes) / nMembers)));
    std::vector<uint64_t> row;
    for (uint32_t member = 0; member < nMembers; ++member)
    {
        const uint32_t other = member < hot ? member : member - 1;
        row.push_back(member == hot
                          ? most
                          : CollectivePart{0, bytes - most}.Divide(nMembers - 1, other).bytes);
    }
    return CollectiveSizes(std::vector<std::vector<uint64_t>>(nMembers, row));
}

namespace
{

using Algorithm = CollectiveAlgorithm; //!< a short name

/// Require that a setting of a collective is from 1 to a maximum. what: the setting.
void
RequireRange(uint32_t number, uint32_t max, const std::string& name, const char* what)
{
    AIDC_REQUIRE(number >= 1 && number <= max,
                 name + " has from 1 to " + std::to_string(max) + " " + what + ", not " +
                     std::to_string(number));
}

} // namespace

std::vector<uint64_t>
CollectiveScheduleSettings::GetNumbers() const
{
    std::vector<uint64_t> numbers{bytes, nSlots, nMembers, nChunks, root, nPerServer, nChannels};
    numbers.push_back(reinterpret_cast<std::uintptr_t>(sizes.get()));
    numbers.insert(numbers.end(), {costs.launch, costs.post});
    for (const auto& message : {costs.inside, costs.between})
    {
        numbers.insert(numbers.end(),
                       {message.latency, message.wireBytes, message.dataBytes, message.rate});
    }
    return numbers;
}

void
CollectiveScheduleSettings::Check() const
{
    const std::string name =
        std::string(GetCollectiveName(kind)) + " by " + GetCollectiveAlgorithmName(algorithm);
    const auto& possible = GetCollectiveAlgorithms(kind);
    AIDC_REQUIRE(std::find(possible.begin(), possible.end(), algorithm) != possible.end(),
                 "there is no " + name);
    AIDC_REQUIRE(nMembers > 0, name + " has at least one member");
    AIDC_REQUIRE(bytes <= MAX_BYTES,
                 name + " has at most 2^60 bytes, not " + std::to_string(bytes));
    RequireRange(nChunks, MAX_CHUNKS, name, "chunks");
    RequireRange(nChannels, HasChannels(algorithm) ? MAX_CHANNELS : 1, name, "channels");
    AIDC_REQUIRE(algorithm != Algorithm::NVLS || nPerServer <= MAX_LANES / MAX_CHANNELS,
                 name + " has at most " + std::to_string(MAX_LANES / MAX_CHANNELS) +
                     " members of a server, not " + std::to_string(nPerServer));
    AIDC_REQUIRE(uint64_t{GetNStreams()} * nChunks <= MAX_LANES,
                 name + " has at most " + std::to_string(MAX_LANES) +
                     " chunks of all channels, trees and peers, not " +
                     std::to_string(uint64_t{GetNStreams()} * nChunks));
    AIDC_REQUIRE(nSlots <= MAX_SLOTS,
                 name + " has at most " + std::to_string(MAX_SLOTS) + " slots, not " +
                     std::to_string(nSlots));
    AIDC_REQUIRE(root < nMembers,
                 "the root is one of " + std::to_string(nMembers) +
                     " members, counted from 0, not " + std::to_string(root));
    AIDC_REQUIRE(nPerServer > 0 && nMembers % nPerServer == 0,
                 name + " has a multiple of the members of a server, " +
                     std::to_string(nPerServer) + ", not " + std::to_string(nMembers));
    AIDC_REQUIRE(nPerServer == 1 || KnowsServers(algorithm),
                 name + " has no steps inside of servers");
    AIDC_REQUIRE(!sizes || kind == CollectiveKind::ALL_TO_ALL, name + " has no sizes of each pair");
    AIDC_REQUIRE(!sizes || (sizes->GetNMembers() == nMembers && sizes->GetBytes() == bytes),
                 name + " has the sizes of other members, or another number of bytes");
    for (const auto& message : {costs.inside, costs.between})
    {
        AIDC_REQUIRE(message.dataBytes > 0 && message.wireBytes >= message.dataBytes,
                     name + " has at least as many bytes on the wire as bytes of data, not " +
                         std::to_string(message.wireBytes) + " for " +
                         std::to_string(message.dataBytes));
    }
    if (algorithm == Algorithm::HALVING_DOUBLING && kind != CollectiveKind::ALL_REDUCE)
    {
        AIDC_REQUIRE((nMembers & (nMembers - 1)) == 0,
                     name + " needs a power of two members, not " + std::to_string(nMembers));
        AIDC_REQUIRE(nChunks == 1, name + " has one chunk, not " + std::to_string(nChunks));
    }
}

uint32_t
CollectiveScheduleSettings::GetNStreams() const
{
    switch (algorithm)
    {
    case Algorithm::RING:
    case Algorithm::CHAIN:
        return nChannels;
    case Algorithm::DOUBLE_TREE:
        return 2 * nChannels;
    case Algorithm::NVLS:
        return nChannels * nPerServer;
    case Algorithm::DIRECT:
        return std::max(nMembers, 2U) - 1;
    default:
        return 1;
    }
}

CollectivePart
CollectiveScheduleSettings::GetBlocks(uint32_t lane,
                                      uint32_t nBlocks,
                                      uint32_t first,
                                      uint32_t count) const
{
    const CollectivePart all = {0, bytes};
    if (kind == CollectiveKind::ALL_REDUCE || kind == CollectiveKind::BROADCAST)
    {
        return all.Divide(GetNLanes(), lane).Divide(nBlocks, first, count);
    }
    // Blocks belong to members, so that a lane has a part of each block
    return all.Divide(nBlocks, first, count).Divide(GetNLanes(), lane);
}

} // namespace ns3::aidc
