// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MPI_PROCESSES_H
#define AIDC_MPI_PROCESSES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Another process has failed, which tells the user why.
class OtherProcessFailed : public std::runtime_error
{
  public:
    /// Constructor where it is not known which one has failed.
    OtherProcessFailed();

    /// @param process the number of the process that has failed
    explicit OtherProcessFailed(uint32_t process);
};

/// The processes of a parallel simulation, by MPI.
///
/// A program makes one object before it makes anything else:
///
///     int main(int argc, char* argv[])
///     {
///         const aidc::MpiProcesses processes(2); // started by mpirun -np 2
///         aidc::TimeWindowHelper::Enable();
///         ...
///
/// Processes have numbers from 0, as ranks in MPI. Each process runs the same program, and makes
/// the same network. It simulates its own nodes only: the nodes whose Node::GetSystemId() is its
/// number. Events without a node are the same in each process, and run in each process. To learn
/// about nodes of other processes, each process calls Gather() and Sum() at the same point: outside
/// of the simulation, or in the same event without a node. If processes call different functions,
/// each of them ends with an error.
class MpiProcesses
{
  public:
    /// Constructor; with several processes MPI is started.
    /// @param n the number of processes that the user has asked for, at least 1
    /// @throws std::runtime_error if there is no MPI, or the program was not started as that number
    ///         of processes
    explicit MpiProcesses(uint32_t n);

    /// Ends MPI, if it was started.
    ~MpiProcesses();

    MpiProcesses(const MpiProcesses&) = delete;
    MpiProcesses& operator=(const MpiProcesses&) = delete;

    /// Get the processes of this program. @return the object that exists; a single one without it
    static const MpiProcesses& Get();

    /// Get the number of processes. @return the number, 1 for a simulation that is not parallel
    uint32_t GetN() const
    {
        return m_n;
    }

    /// Get the number of this process. @return the number, from 0
    uint32_t GetIndex() const
    {
        return m_index;
    }

    /// @return whether this is process 0, which prints and writes results
    bool IsFirst() const
    {
        return m_index == 0;
    }

    /// Exchange bytes; every process calls it at the same point.
    /// @param text the bytes of this process, less than 2 GB over all processes
    /// @return the bytes of all processes, by process
    /// @throws OtherProcessFailed if a process has failed
    std::vector<std::string> Gather(const std::string& text) const;

    /// Add up a number over the processes; every process calls it at the same point.
    /// @param value what this process adds
    /// @return the sum, exact for whole numbers up to 2^53
    /// @throws OtherProcessFailed if a process has failed
    double Sum(double value) const;

    /// Who has failed
    enum class Failure
    {
        OF_ALL, //!< all processes, and this one is the first: it is to tell the user
        FIRST,  //!< some processes, and this one is the first of them: it is to tell the user
        LATER   //!< another one is to tell the user
    };

    /// Tell the other processes that this one cannot go on; they stop with OtherProcessFailed.
    /// @return who has failed
    /// @throws OtherProcessFailed after Abandon()
    Failure Fail() const;

    /// Print what other processes have told the user (PrintUserLine()) and the first one has not;
    /// every process calls it at the same point. The destructor does so, too.
    /// @throws OtherProcessFailed if a process has failed
    void PrintLines() const;

    /// Numbers on which processes agree.
    using Numbers = std::array<uint64_t, 8>;

    /// Find the least value of each number over the processes; every process calls it at the same
    /// point.
    /// @param numbers the numbers of this process
    /// @param [in,out] others one more number of this process, which becomes the least one of the
    ///        other processes; null for none
    /// @return the least ones
    /// @throws OtherProcessFailed if a process has failed
    Numbers GetLeast(const Numbers& numbers, uint64_t* others = nullptr) const;

    /// Exchange messages with some processes, which call it at the same point.
    /// @param partners the other processes, each of which has this one among its partners
    /// @param sent the message to each process, by process; may be empty
    /// @param [out] received the message of each process, by process
    void Exchange(const std::vector<uint32_t>& partners,
                  const std::vector<std::vector<uint8_t>>& sent,
                  std::vector<std::vector<uint8_t>>& received) const;

    /// What this process has exchanged so far.
    struct Counts
    {
        uint64_t agreements{0}; //!< calls of GetLeast(), about one a time window
        uint64_t messages{0};   //!< messages of Exchange() that it has sent, sizes included
        uint64_t bytes{0};      //!< bytes of these messages
    };

    /// Get what this process has exchanged. @return the counts; zeros for one process
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /// @return whether simulations may have several processes: aidc was built with MPI
    static bool IsAvailable();

    /// Stop waiting for other processes, as one of them has ended: what waits for them now or later
    /// throws OtherProcessFailed, and MPI is not ended. Handlers of signals may call it.
    static void Abandon() noexcept;

  private:
    /// What processes do together.
    enum class Act : uint64_t
    {
        GATHER,
        AGREE
    };

    /// others: as of GetLeast(). @return the least ones of all processes
    Numbers Meet(Act act, const Numbers& numbers, uint64_t* others = nullptr) const;

    uint32_t m_n;                          //!< the number of processes
    uint32_t m_index{0};                   //!< the number of this process
    const MpiProcesses* m_before{nullptr}; //!< what Get() returned before
    int m_nExceptions{0};                  //!< how many were under way when it was made
    mutable Counts m_counts;               //!< what has been exchanged
};

/// A channel of two devices whose nodes are simulated by two processes (MpiProcesses). Each process
/// has the channel and both devices. What one process sends by TimeWindowSimulatorImpl::Send(), the
/// channel of the other process reads.
class RemoteLink
{
  public:
    virtual ~RemoteLink() = default;

    /// Read an arrival, and have it happen. Called at its time, for the node that receives.
    /// @param end the end of the link that receives, 0 or 1
    /// @param bytes the bytes
    /// @param size the number of bytes
    /// @throws std::runtime_error if they are not the bytes of an arrival
    virtual void Receive(uint32_t end, const uint8_t* bytes, std::size_t size) = 0;
};

/// @return whether this process was started as one of several, by mpirun, srun or the like
bool IsLaunchedAsProcess();

/// @return the number of this process, as its environment has it; 0 if it has none
uint32_t GetLaunchedProcess();

} // namespace ns3::aidc

#endif // AIDC_MPI_PROCESSES_H
