// SPDX-License-Identifier: GPL-2.0-only

#include "nccl-settings.h"

#include "../multiply-divide.h"
#include "../require-argument.h"
#include "text-reader.h"

#include <algorithm>
#include <array>
#include <boost/integer/integer_log2.hpp>
#include <cstddef>
#include <limits>
#include <utility>

namespace ns3::aidc
{

namespace
{

using Algorithm = CollectiveAlgorithm; //!< a short name

constexpr uint64_t KIB = 1024;                           //!< bytes
constexpr uint64_t N_STEPS = 8;                          //!< of a buffer: NCCL_STEPS
constexpr uint64_t SIMPLE_STEP = 4096 * KIB / N_STEPS;   //!< DEFAULT_BUFFSIZE
constexpr uint64_t RING_SLICE_STEPS = N_STEPS / 4;       //!< ALLREDUCE_SLICESTEPS
constexpr uint64_t RING_CHUNK_STEPS = N_STEPS / 2;       //!< ALLREDUCE_CHUNKSTEPS
constexpr uint64_t LL_STEP = 8 * uint64_t{512} * 16 / 2; //!< data of 8 lines of 512 threads
constexpr uint64_t LL128_STEP = 120 * uint64_t{640} * 8; //!< 120 elements of 640 threads
constexpr uint64_t LL128_DATA = LL128_STEP / 16 * 15;    //!< without flags
constexpr uint64_t NET_OVERHEAD = 1000;                  //!< ns: NCCL_NET_OVERHEAD
constexpr uint64_t NVLS_CHUNK = 128 * KIB;               //!< NCCL_NVLS_CHUNKSIZE
constexpr uint32_t NVLS_N_LARGE = 4;                     //!< servers with smaller chunks
constexpr std::array<const char*, 3> PROTOCOLS = {"simple",
                                                  "ll",
                                                  "ll128"}; //!< in NcclProtocol's order

/// Latencies in ns: baseLatencies; hwLatencies of NVLINK and of NET.
struct Latencies
{
    uint64_t base;    //!< of a collective
    uint64_t inside;  //!< of a step over NVLink
    uint64_t between; //!< of a step over the network
};

/// Of a ring, by protocol.
constexpr std::array<Latencies, 3> RING = {
    {{8400, 3400, 14000}, {6600, 600, 2700}, {14000, 1900, 4000}}};
/// Of the double tree, by protocol.
constexpr std::array<Latencies, 3> TREE = {
    {{8400, 4000, 14000}, {6800, 600, 5000}, {14000, 1250, 8500}}};
/// NVLSTree. Inside of a server, a sum and its copies take 25 us.
constexpr Latencies NVLS = {0, 12500, 20900};

/// @return bytes of chunks of NVLS(Tree); smaller if there are few for all channels and heads
uint64_t
GetNvlsChunk(const CollectiveScheduleSettings& settings)
{
    struct Row
    {
        uint64_t nRounds;
        uint64_t chunk;
    };

    constexpr std::array<Row, 3> ONE_SERVER = {{{64, 64 * KIB}, {8, 32 * KIB}, {2, 16 * KIB}}};
    constexpr std::array<Row, 3> SEVERAL = {{{16, 128 * KIB}, {4, 64 * KIB}, {1, 32 * KIB}}};
    uint64_t chunk = settings.GetNServers() >= NVLS_N_LARGE ? 64 * KIB : NVLS_CHUNK;
    for (const Row& row : settings.GetNServers() == 1 ? ONE_SERVER : SEVERAL)
    {
        if (settings.bytes < row.nRounds * settings.GetNStreams() * chunk)
        {
            chunk = std::min(chunk, row.chunk);
        }
    }
    return chunk;
}

/// Get the bytes of a tree's chunks with LL128: halved where few would be under way.
uint64_t
GetLl128TreeChunk(const CollectiveScheduleSettings& settings)
{
    const double nSteps =
        1 + boost::integer_log2(settings.GetNServers()) + 0.1 * settings.nPerServer;
    uint64_t chunk = LL128_DATA;
    for (const auto& [factor, least] : {std::pair{64, 128 * KIB}, std::pair{16, 32 * KIB}})
    {
        while (chunk > least &&
               static_cast<double>(settings.bytes / (settings.GetNStreams() * chunk)) <
                   nSteps * factor / settings.nPerServer)
        {
            chunk /= 2;
        }
    }
    return chunk;
}

/// @return the chunks of a collective that is not a ring with SIMPLE
uint64_t
GetNChunks(const CollectiveScheduleSettings& settings, NcclProtocol protocol)
{
    const uint64_t nBlocks = settings.algorithm == Algorithm::RING ? settings.nMembers : 1;
    uint64_t chunk = SIMPLE_STEP;
    if (settings.algorithm == Algorithm::NVLS)
    {
        chunk = GetNvlsChunk(settings);
    }
    else if (protocol == NcclProtocol::LL)
    {
        chunk = LL_STEP;
    }
    else if (protocol == NcclProtocol::LL128)
    {
        chunk =
            settings.algorithm == Algorithm::DOUBLE_TREE ? GetLl128TreeChunk(settings) : LL128_DATA;
    }
    return MultiplyDivideUp(settings.bytes, 1, nBlocks * settings.GetNStreams() * chunk);
}

} // namespace

bool
ParseNcclProtocol(const std::string& name, NcclProtocol& protocol)
{
    return ParseName(PROTOCOLS, name, protocol);
}

CollectiveCosts
GetNcclCosts(CollectiveAlgorithm algorithm, NcclProtocol protocol)
{
    const bool isNvls = algorithm == Algorithm::NVLS;
    const auto number = static_cast<std::size_t>(protocol);
    AIDC_REQUIRE(algorithm == Algorithm::RING || algorithm == Algorithm::DOUBLE_TREE || isNvls,
                 std::string("NCCL has ring, double-tree and nvls, not ") +
                     GetCollectiveAlgorithmName(algorithm));
    AIDC_REQUIRE(!isNvls || protocol == NcclProtocol::SIMPLE,
                 std::string("NCCL has nvls with simple, not with ") + PROTOCOLS.at(number));
    const Latencies& latencies = isNvls                         ? NVLS
                                 : algorithm == Algorithm::RING ? RING.at(number)
                                                                : TREE.at(number);
    CollectiveCosts costs;
    costs.launch = latencies.base;
    costs.post = NET_OVERHEAD;
    costs.inside.latency = latencies.inside;
    costs.between.latency = latencies.between;
    for (CollectiveCosts::Message* message : {&costs.inside, &costs.between})
    {
        message->wireBytes = protocol == NcclProtocol::LL ? 2 : 128;
        message->dataBytes = protocol == NcclProtocol::LL ? 1 : 120;
        if (protocol == NcclProtocol::SIMPLE)
        {
            message->wireBytes = message->dataBytes = 1;
        }
    }
    if (isNvls)
    {
        costs.inside.wireBytes = 100;
        costs.inside.dataBytes = 85; // nvlsEfficiency of Hopper
    }
    return costs;
}

void
UseNcclSettings(CollectiveScheduleSettings& settings, NcclProtocol protocol)
{
    settings.costs = GetNcclCosts(settings.algorithm, protocol);
    uint64_t nChunks = GetNChunks(settings, protocol);
    settings.nSlots = N_STEPS;
    if (settings.algorithm == Algorithm::RING && protocol == NcclProtocol::SIMPLE)
    {
        const uint64_t chunk = RING_CHUNK_STEPS * SIMPLE_STEP;
        const uint64_t nSlices = RING_CHUNK_STEPS / RING_SLICE_STEPS;
        nChunks =
            nSlices *
            MultiplyDivideUp(settings.bytes, 1, settings.GetNStreams() * settings.nMembers * chunk);
        settings.nSlots = N_STEPS / RING_SLICE_STEPS;
    }
    settings.nChunks = static_cast<uint32_t>(
        std::clamp<uint64_t>(nChunks, 1, std::numeric_limits<uint32_t>::max()));
}

} // namespace ns3::aidc
