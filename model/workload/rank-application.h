// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANK_APPLICATION_H
#define AIDC_RANK_APPLICATION_H

#include "../core/workload/rank-execution.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/message-endpoint.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/traced-callback.h"
#include "ns3/workload-plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Keeps the time of a workload, in which its ranks compute, where this is not the time of
/// the network; and ends operations that ranks do not execute (see WorkloadLeap).
///
/// Ranks call it in events of their node, or while it calls them.
class RankPacer : public SimpleRefCount<RankPacer>
{
  public:
    virtual ~RankPacer() = default;

    /// @return the time of the workload
    virtual Time GetTime() const = 0;

    /// Have RankApplication::EndCompute() called after the duration of a computation.
    virtual void Compute(uint32_t rank, uint32_t operation, const Time& duration) = 0;

    /// A collective or a message to send starts.
    /// @return whether the rank does not execute it, and RankApplication::EndLeft() will be called
    virtual bool Leaves(uint32_t rank, uint32_t operation) = 0;

    /// An operation has ended.
    virtual void NotifyEnd(uint32_t rank, uint32_t operation) = 0;

    /// A message of a peer has come by the network. nBytes: the bytes that have come.
    /// @return the bytes that it has in the workload
    virtual uint64_t NotifyMessage(uint32_t rank, uint32_t peer, uint32_t tag, uint64_t nBytes) = 0;

    /// @return whether ranks must keep messages to send until RankApplication::SendKept() is
    ///         called, as the network does not run
    virtual bool IsLeaping() const = 0;
};

/// When an operation of a rank was under way.
struct RankOperationTimes
{
    Time start;             //!< when it started
    Time end;               //!< when it ended
    bool hasStarted{false}; //!< whether it has started
    bool hasEnded{false};   //!< whether it has ended
    bool isLeapt{false};    //!< whether it, or a part, was not executed (see RankPacer)
};

/// The record of a rank's program.
struct RankRecord
{
    bool isDone{false}; //!< whether all of its operations have ended
    Time finish;        //!< when the last one ended; 0 if not

    /// Why it cannot end: rank, peer, time and cause of a message that could not be sent; or empty.
    std::string failure;
    Time failureTime; //!< when that was; 0 without a failure
};

/// What is known of a rank's program.
struct RankState
{
    RankRecord record;                     //!< whether it is done
    std::vector<RankOperationTimes> times; //!< the times of its operations
};

/// Executes the program of a rank at a host, with messages over a MessageEndpoint.
///
/// It starts at the application's start time. Messages that arrive earlier are kept. Once it is
/// stopped, nothing more starts, and the endpoint takes care of messages that are under way. If a
/// message cannot be sent, for example because a queue pair has failed, the application stops by
/// itself.
///
/// It runs only in events of its node, and touches no other node.
class RankApplication : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Set the program of a rank, before the simulation begins. plan: has been checked.
    void SetProgram(std::shared_ptr<const WorkloadPlan> plan, uint32_t rank);

    /// Set what sends and takes messages, after the program and before the simulation begins.
    void SetEndpoint(Ptr<MessageEndpoint> endpoint);

    /// @return the endpoint; null if it is not set
    const Ptr<MessageEndpoint>& GetEndpoint() const
    {
        return m_endpoint;
    }

    /// Set who keeps the time of the workload, after the program and before the simulation begins.
    /// By default, the workload has the network's time.
    void SetPacer(Ptr<RankPacer> pacer);

    /// For the pacer: a computation has ended.
    void EndCompute(uint32_t operation);

    /// For the pacer: an operation that was left to it has ended.
    void EndLeft(uint32_t operation);

    /// For the pacer: take a message that was not sent by the network. peer: would have sent it.
    void Deliver(uint32_t peer, uint64_t nBytes, uint32_t tag)
    {
        m_execution->Receive(peer, nBytes, tag);
        Proceed();
    }

    /// For the pacer: shorten a message that is under way (see MessageEndpoint::Shorten()).
    /// @param operation the operation that sends it
    /// @param connection the connection
    /// @param nBytes by how much at most
    void Shorten(uint32_t operation, std::size_t connection, uint64_t nBytes);

    /// For the pacer: send what was kept. It is called in an event of the node.
    void SendKept();

    /// @return what is known of the program, so far
    const RankState& GetState() const
    {
        return m_state;
    }

    /// @return whether all operations have ended
    bool IsDone() const
    {
        return m_state.record.isDone;
    }

    /// @return when the operations were under way, by their number
    const std::vector<RankOperationTimes>& GetTimes() const
    {
        return m_state.times;
    }

    /// Signature of the trace sources OperationStarted and OperationEnded.
    /// @param rank the rank
    /// @param operation the number of the operation in its program
    typedef void (*OperationTracedCallback)(uint32_t rank, uint32_t operation);

    /// Signature of the trace source Done.
    /// @param rank the rank
    /// @param time the time since the beginning of the simulation
    typedef void (*DoneTracedCallback)(uint32_t rank, Time time);

    /// Signature of the trace source Failed.
    /// @param rank the rank
    /// @param peer the rank to which a message could not be sent
    /// @param cause why, such as "retry exceeded"
    typedef void (*FailedTracedCallback)(uint32_t rank, uint32_t peer, const std::string& cause);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Take a message that has arrived.
    void Receive(uint32_t peer, uint64_t nBytes, uint32_t tag);

    /// The message to a peer has been acknowledged.
    void EndSend(uint32_t operation, uint32_t lane, uint32_t peer);

    /// Note that a message could not be sent, and stop.
    void HandleFailure(uint32_t peer, const std::string& cause);

    /// Do what the execution asks for.
    void Proceed();

    void Handle(const RankEvent& event);

    /// Send a message when the host and its latency let it leave.
    void SendLater(const RankEvent& event);

    void Send(const RankEvent& event);

    Time GetTime() const;

    std::shared_ptr<const WorkloadPlan> m_plan;   //!< the programs of all ranks
    uint32_t m_rank{0};                           //!< the rank of this one
    std::unique_ptr<RankExecution> m_execution;   //!< what executes the program
    Ptr<MessageEndpoint> m_endpoint;              //!< what sends and takes messages
    Ptr<RankPacer> m_pacer;                       //!< keeps the workload's time; or null
    RankState m_state;                            //!< what is known of the program
    std::vector<RankEvent> m_kept;                //!< messages to send when the network runs
    std::map<uint32_t, EventId> m_computing;      //!< by operation, when it ends
    Time m_posted;                                //!< when the host has sent its messages on
    bool m_isRunning{false};                      //!< between start and stop
    bool m_isProceeding{false};                   //!< in Proceed()
    TracedCallback<uint32_t, uint32_t> m_started; //!< an operation has started
    TracedCallback<uint32_t, uint32_t> m_ended;   //!< an operation has ended
    TracedCallback<uint32_t, Time> m_done;        //!< the last operation has ended

    /// A message could not be sent.
    TracedCallback<uint32_t, uint32_t, const std::string&> m_failed;
};

} // namespace ns3::aidc

#endif // AIDC_RANK_APPLICATION_H
