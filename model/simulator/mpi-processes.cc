// SPDX-License-Identifier: GPL-2.0-only

#include "mpi-processes.h"

#ifdef AIDC_HAS_MPI
#include <chrono>
#include <mpi.h>
#include <thread>
#endif

#include "ns3/warning.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <map>
#include <sstream>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The processes of this program; null before MpiProcesses is made.
const MpiProcesses* g_processes = nullptr;

/// Whether nobody waits for other processes any more.
std::atomic<bool> g_isAbandoned{false};
static_assert(std::atomic<bool>::is_always_lock_free, "handlers of signals set it");

bool
IsSet(const char* name)
{
    const char* const value = std::getenv(name);
    return value && *value != '\0';
}

#ifdef AIDC_HAS_MPI

/// What was printed for the user (PrintUserLine()) since processes met, each line with its end.
std::string g_lines;

/// Whether this is the first process, which prints its lines at once.
bool g_isFirst = true;

/// Keep a line, and print one of the first process. @param line the line
void
PrintAndKeep(const std::string& line)
{
    g_lines += line + '\n';
    if (g_isFirst)
    {
        std::cerr << line << std::endl;
    }
}

/// Print once each line of other processes' texts that the first one has not printed.
void
PrintOthers(const std::vector<std::string>& texts)
{
    // A line is shown as often as the process has told it that has told it most.
    std::map<std::string, uint32_t> shown;
    for (std::size_t process = 0; g_isFirst && process < texts.size(); ++process)
    {
        std::map<std::string, uint32_t> told;
        std::istringstream lines(texts[process]);
        for (std::string line; std::getline(lines, line);)
        {
            if (++told[line] <= shown[line])
            {
                continue;
            }
            ++shown[line];
            if (process > 0) // the first one's are there
            {
                std::cerr << line << std::endl;
            }
        }
    }
}

[[noreturn]] void
ThrowOtherSize(uint32_t n, int found)
{
    throw std::runtime_error("--processes=" + std::to_string(n) +
                             ": expected to be started as that many processes (mpirun -np " +
                             std::to_string(n) + "), found " + std::to_string(found));
}

void
Wait(std::vector<MPI_Request>& requests)
{
    // A process that has a processor of its own is there soon. Otherwise it needs this one's.
    constexpr uint32_t N_SPINS = 200;
    constexpr uint32_t N_YIELDS = 2000;
    constexpr auto PAUSE = std::chrono::microseconds(20);
    constexpr auto LAST_WAIT = std::chrono::milliseconds(200);
    auto end = std::chrono::steady_clock::time_point::max();
    int isDone = 0;
    for (uint32_t i = 0;; ++i)
    {
        MPI_Testall(static_cast<int>(requests.size()),
                    requests.data(),
                    &isDone,
                    MPI_STATUSES_IGNORE);
        if (isDone)
        {
            return;
        }
        if (g_isAbandoned)
        {
            // What the others have sent before arrives: this process may meet the same error.
            const auto now = std::chrono::steady_clock::now();
            end = std::min(end, now + LAST_WAIT);
            if (now >= end)
            {
                throw OtherProcessFailed();
            }
        }
        if (i >= N_SPINS + N_YIELDS)
        {
            std::this_thread::sleep_for(PAUSE);
        }
        else if (i >= N_SPINS)
        {
            std::this_thread::yield();
        }
    }
}

/// What precedes the numbers on which processes agree: who has failed, and what is done, twice.
constexpr std::size_t N_OWN = 3;

/// What processes compare when they meet. The last two words are the least and the second value of
/// one number, so that each process learns the least one of the others.
using Words = std::array<uint64_t, N_OWN + std::tuple_size<MpiProcesses::Numbers>::value + 2>;

constexpr std::size_t LEAST = std::tuple_size<Words>::value - 2; //!< the word of the least value
constexpr std::size_t SECOND = LEAST + 1;                        //!< the word of the second one

/// Merge the words of some processes into the words of others; an operation of MPI.
extern "C" void
MergeLeast(void* some, void* others, int* n, MPI_Datatype*)
{
    const auto* from = static_cast<const Words*>(some);
    auto* to = static_cast<Words*>(others);
    for (int i = 0; i < *n; ++i)
    {
        const uint64_t second =
            std::min({std::max(from[i][LEAST], to[i][LEAST]), from[i][SECOND], to[i][SECOND]});
        std::transform(from[i].begin(),
                       from[i].end(),
                       to[i].begin(),
                       to[i].begin(),
                       [](uint64_t a, uint64_t b) { return std::min(a, b); });
        to[i][SECOND] = second;
    }
}

/// How MPI finds the least words. It ends with MPI.
struct LeastWords
{
    MPI_Datatype type; //!< the words of a process, which MPI must not divide
    MPI_Op merge;      //!< MergeLeast()

    /// Make both, once MPI has begun.
    LeastWords()
    {
        MPI_Type_contiguous(std::tuple_size<Words>::value, MPI_UINT64_T, &type);
        MPI_Type_commit(&type);
        MPI_Op_create(&MergeLeast, 1, &merge);
    }
};

Words
FindLeast(const Words& own)
{
    static const LeastWords words;
    Words least{};
    std::vector<MPI_Request> request(1);
    MPI_Iallreduce(own.data(),
                   least.data(),
                   1,
                   words.type,
                   words.merge,
                   MPI_COMM_WORLD,
                   request.data());
    Wait(request);
    return least;
}

#endif

} // namespace

bool
IsLaunchedAsProcess()
{
    // Open MPI; MPICH and others with its process manager's interface; PMIx
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"})
    {
        if (IsSet(name))
        {
            return true;
        }
    }
    // Slurm has its other variables in the script of a job, too.
    const char* const nTasks = std::getenv("SLURM_STEP_NUM_TASKS");
    return nTasks && std::strtoul(nTasks, nullptr, 10) > 1;
}

uint32_t
GetLaunchedProcess()
{
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    {
        if (IsLaunchedAsProcess() && IsSet(name))
        {
            return static_cast<uint32_t>(std::strtoul(std::getenv(name), nullptr, 10));
        }
    }
    return 0;
}

OtherProcessFailed::OtherProcessFailed()
    : std::runtime_error("another process has failed")
{
}

OtherProcessFailed::OtherProcessFailed(uint32_t process)
    : std::runtime_error("process " + std::to_string(process) + " has failed")
{
}

const MpiProcesses&
MpiProcesses::Get()
{
    static const MpiProcesses one(1);
    return g_processes ? *g_processes : one;
}

void
MpiProcesses::Abandon() noexcept
{
    g_isAbandoned = true;
}

double
MpiProcesses::Sum(double value) const
{
    double sum = 0;
    for (const auto& bytes : Gather({reinterpret_cast<const char*>(&value), sizeof(value)}))
    {
        double other = 0;
        std::memcpy(&other, bytes.data(), sizeof(other));
        sum += other;
    }
    return sum;
}

MpiProcesses::Numbers
MpiProcesses::GetLeast(const Numbers& numbers, uint64_t* others) const
{
    if (m_n == 1)
    {
        if (others)
        {
            *others = UINT64_MAX;
        }
        return numbers;
    }
    ++m_counts.agreements;
    return Meet(Act::AGREE, numbers, others);
}

#ifdef AIDC_HAS_MPI

MpiProcesses::MpiProcesses(uint32_t n)
    : m_n(n),
      m_before(g_processes),
      m_nExceptions(std::uncaught_exceptions())
{
    if (m_n <= 1)
    {
        return;
    }
    if (!IsLaunchedAsProcess())
    {
        ThrowOtherSize(m_n, 1);
    }
    MPI_Init(nullptr, nullptr);
    int size = 0;
    int index = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &index);
    m_index = static_cast<uint32_t>(index);
    if (static_cast<uint32_t>(size) != m_n)
    {
        MPI_Finalize();
        if (m_index > 0)
        {
            throw OtherProcessFailed(0); // which tells the same
        }
        ThrowOtherSize(m_n, size);
    }
    g_processes = this;
    g_isFirst = IsFirst();
    SetUserLinePrinter(PrintAndKeep);
}

MpiProcesses::~MpiProcesses()
{
    if (m_n == 1)
    {
        return;
    }
    try
    {
        if (m_nExceptions == std::uncaught_exceptions())
        {
            PrintLines();
        }
    }
    catch (const std::exception&)
    {
        // The process that has failed tells why.
    }
    SetUserLinePrinter(nullptr);
    g_processes = m_before;
    if (!g_isAbandoned)
    {
        MPI_Finalize();
    }
}

bool
MpiProcesses::IsAvailable()
{
    return true;
}

void
MpiProcesses::PrintLines() const
{
    if (m_n > 1)
    {
        PrintOthers(Gather(std::exchange(g_lines, "")));
    }
}

MpiProcesses::Numbers
MpiProcesses::Meet(Act act, const Numbers& numbers, uint64_t* others) const
{
    constexpr auto NOBODY = UINT64_MAX; // has failed
    Words own{};
    own[0] = NOBODY;
    own[1] = static_cast<uint64_t>(act);
    own[2] = ~own[1];
    std::copy(numbers.begin(), numbers.end(), own.begin() + N_OWN);
    own[LEAST] = others ? *others : UINT64_MAX;
    own[SECOND] = UINT64_MAX;
    const auto least = FindLeast(own);
    if (least[0] != NOBODY)
    {
        throw OtherProcessFailed(static_cast<uint32_t>(least[0]));
    }
    if (least[1] != ~least[2])
    {
        throw std::runtime_error("the processes do not do the same: expected each event without a "
                                 "node to be scheduled in each of them, and each of them to "
                                 "exchange what others exchange");
    }
    Numbers agreed;
    std::copy_n(least.begin() + N_OWN, agreed.size(), agreed.begin());
    if (others)
    {
        *others = *others == least[LEAST] ? least[SECOND] : least[LEAST];
    }
    return agreed;
}

MpiProcesses::Failure
MpiProcesses::Fail() const
{
    if (m_n == 1)
    {
        return Failure::OF_ALL;
    }
    Words own{};
    own.fill(UINT64_MAX); // whoever has not failed has less in the second place
    own[0] = m_index;
    const auto least = FindLeast(own);
    if (least[0] != m_index)
    {
        return Failure::LATER;
    }
    return least[1] == UINT64_MAX ? Failure::OF_ALL : Failure::FIRST;
}

std::vector<std::string>
MpiProcesses::Gather(const std::string& text) const
{
    if (m_n == 1)
    {
        return {text};
    }
    Meet(Act::GATHER, {});
    std::vector<unsigned long long> sizes(m_n);
    const unsigned long long own = text.size();
    std::vector<MPI_Request> request(1);
    MPI_Iallgather(&own,
                   1,
                   MPI_UNSIGNED_LONG_LONG,
                   sizes.data(),
                   1,
                   MPI_UNSIGNED_LONG_LONG,
                   MPI_COMM_WORLD,
                   request.data());
    Wait(request);
    std::vector<int> counts(m_n);
    std::vector<int> places(m_n);
    unsigned long long sum = 0;
    for (uint32_t process = 0; process < m_n; ++process)
    {
        if (sum + sizes[process] > INT_MAX)
        {
            throw std::runtime_error(
                "the processes have more than 2 GB of results to exchange at once");
        }
        counts[process] = static_cast<int>(sizes[process]);
        places[process] = static_cast<int>(sum);
        sum += sizes[process];
    }
    std::string all(sum, '\0');
    MPI_Iallgatherv(text.data(),
                    static_cast<int>(text.size()),
                    MPI_CHAR,
                    all.data(),
                    counts.data(),
                    places.data(),
                    MPI_CHAR,
                    MPI_COMM_WORLD,
                    request.data());
    Wait(request);
    std::vector<std::string> texts;
    for (uint32_t process = 0; process < m_n; ++process)
    {
        texts.push_back(all.substr(static_cast<std::size_t>(places[process]),
                                   static_cast<std::size_t>(counts[process])));
    }
    return texts;
}

void
MpiProcesses::Exchange(const std::vector<uint32_t>& partners,
                       const std::vector<std::vector<uint8_t>>& sent,
                       std::vector<std::vector<uint8_t>>& received) const
{
    // Two messages each, as the receiver does not know the size
    const std::size_t n = partners.size();
    std::vector<unsigned long long> sizes(2 * n);
    std::vector<MPI_Request> requests;
    requests.reserve(2 * n);
    const auto add = [&requests]() { return &requests.emplace_back(MPI_REQUEST_NULL); };
    constexpr int SIZES = 0;
    constexpr int BYTES = 1;
    for (std::size_t i = 0; i < n; ++i)
    {
        const int process = static_cast<int>(partners[i]);
        sizes[i] = sent[partners[i]].size();
        m_counts.messages += sizes[i] > 0 ? 2 : 1;
        m_counts.bytes += sizeof(sizes[i]) + sizes[i];
        MPI_Irecv(&sizes[n + i], 1, MPI_UNSIGNED_LONG_LONG, process, SIZES, MPI_COMM_WORLD, add());
        MPI_Isend(&sizes[i], 1, MPI_UNSIGNED_LONG_LONG, process, SIZES, MPI_COMM_WORLD, add());
    }
    Wait(requests);
    requests.clear();
    for (std::size_t i = 0; i < n; ++i)
    {
        const int process = static_cast<int>(partners[i]);
        auto& in = received[partners[i]];
        const auto& out = sent[partners[i]];
        in.resize(sizes[n + i]);
        if (!in.empty())
        {
            MPI_Irecv(in.data(),
                      static_cast<int>(in.size()),
                      MPI_BYTE,
                      process,
                      BYTES,
                      MPI_COMM_WORLD,
                      add());
        }
        if (!out.empty())
        {
            MPI_Isend(out.data(),
                      static_cast<int>(out.size()),
                      MPI_BYTE,
                      process,
                      BYTES,
                      MPI_COMM_WORLD,
                      add());
        }
    }
    Wait(requests);
}

#else

MpiProcesses::MpiProcesses(uint32_t n)
    : m_n(n)
{
    if (m_n > 1)
    {
        throw std::runtime_error(
            "--processes=" + std::to_string(m_n) +
            ": aidc was built without MPI; expected an MPI (libopenmpi-dev on Debian and Ubuntu) "
            "when it is configured, or --processes=1");
    }
}

MpiProcesses::~MpiProcesses() = default;

bool
MpiProcesses::IsAvailable()
{
    return false;
}

void
MpiProcesses::PrintLines() const
{
}

MpiProcesses::Numbers
MpiProcesses::Meet(Act, const Numbers& numbers, uint64_t*) const
{
    return numbers;
}

MpiProcesses::Failure
MpiProcesses::Fail() const
{
    return Failure::OF_ALL;
}

std::vector<std::string>
MpiProcesses::Gather(const std::string& text) const
{
    return {text};
}

void
MpiProcesses::Exchange(const std::vector<uint32_t>&,
                       const std::vector<std::vector<uint8_t>>&,
                       std::vector<std::vector<uint8_t>>&) const
{
}

#endif

} // namespace ns3::aidc
