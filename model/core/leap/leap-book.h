// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LEAP_BOOK_H
#define AIDC_LEAP_BOOK_H

#include "../fabric/fabric-places.h"
#include "../never.h"
#include "leap-record.h"
#include "leap-tasks.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// How a workload leaps.
struct LeapSettings
{
    double error{0.01};    //!< the accepted relative error, above 0
    bool isChecked{false}; //!< whether a random tenth of what would be leapt is executed
    uint64_t seed{1};      //!< of that choice
};

/// Something that a rank has done, in the time of the workload.
struct LeapEvent
{
    /// What it is, in the order of events at the same time
    enum class Kind : uint8_t
    {
        ENDED,        //!< a task has ended at a member
        ARRIVED,      //!< a message is there
        STARTED,      //!< a member has started
        ENDED_AT_ONCE //!< it has ended as it started
    };

    int64_t time{0};          //!< when, in ns
    uint32_t rank{0};         //!< who
    uint32_t operation{0};    //!< its operation; of ARRIVED, the tag
    uint32_t peer{0};         //!< of ARRIVED: who has sent
    Kind kind{Kind::STARTED}; //!< what it is
    bool isLeapt{false};      //!< of STARTED: whether it is not executed
    uint64_t pace{0};         //!< of STARTED: of congestion controls to GetPeers(); 0 without any
};

/// The end of a task that was not executed.
struct LeapEnd
{
    uint32_t task{0};   //!< the task
    uint32_t member{0}; //!< the member
    int64_t time{0};    //!< when, in ns
};

/// What is under way, and what was.
struct LeapProgress
{
    uint64_t nExecuted{0};      //!< tasks that are executed
    uint64_t nLeapt{0};         //!< tasks that are leapt
    int64_t lastEnd{0};         //!< when a task ended last, in ns
    int64_t lastExecutedEnd{0}; //!< when an executed one did, in ns
    int64_t nextWait{NEVER};    //!< until when a task waits for the one that it follows, in ns
};

/// How much was leapt, and how well.
struct LeapSummary
{
    uint64_t nExecuted{0};   //!< tasks that were executed
    uint64_t nLeapt{0};      //!< tasks that were not
    uint64_t nFolded{0};     //!< of these, tasks that end as tasks of other ranks do
    uint64_t nShortened{0};  //!< messages that were executed in part
    double executedBytes{0}; //!< of messages over the fabric
    double leaptBytes{0};    //!< that would have been sent over the fabric
    double error{0};         //!< bound on the relative error, a mean by duration of what was leapt
    uint64_t nMistaken{0};   //!< leapt tasks with other neighbors or starts than the executed ones
    uint64_t nChecked{0};    //!< executed tasks that could have been leapt
    double checkMean{0};     //!< their mean duration over the expected one, minus 1
    double checkWorst{0};    //!< the greatest such difference of one, without its sign
    std::string reason;      //!< why what has not settled was executed; empty if all was leapt
};

/// Decides which tasks of a workload are leapt: accounted for, and not executed.
///
/// A task is leapt if the durations of its kind or family have settled, and the durations of its
/// neighbors have settled, too. Neighbors are tasks that touch it and are under way at the same
/// time. Where another job may touch it, it is executed. The last member to start begins a leapt
/// task, and each member ends as long after that as on average before.
///
/// It knows neither network nor simulator: its caller tells it what has happened, always up to a
/// time, and asks it. So its answers are the same in each process that is told the same.
class LeapBook
{
  public:
    /// How often it is to be asked, in ns; tasks that end sooner at a member are executed.
    static constexpr int64_t INTERVAL = 10000;

    /// The most families of tasks.
    static constexpr std::size_t MAX_FAMILIES = 4096;

    /// @param plan the programs, which outlive this object
    /// @param settings how it leaps
    /// @param places where messages are; null if each may touch all others
    LeapBook(const WorkloadPlan& plan, const LeapSettings& settings, FabricPlaces* places);

    /// @return the tasks
    const LeapTasks& GetTasks() const
    {
        return m_tasks;
    }

    /// Tell what has happened. All events up to the time are told.
    /// @param events the events, in any order
    /// @param now the time in ns
    /// @return the ends of leapt tasks that all members have started
    std::vector<LeapEnd> Take(std::vector<LeapEvent> events, int64_t now);

    /// Decide anew what may be leapt.
    /// @param now the time in ns
    /// @param limit the time by which leapt tasks must end, or NEVER
    void Decide(int64_t now, int64_t limit);

    /// Forget all durations, as the network has changed.
    void Forget();

    /// @param task a task that a member starts
    /// @return whether it is leapt: as the first member did it, or as was decided
    bool IsLeapt(uint32_t task) const;

    /// Get whose congestion controls must have settled, as other families may need them.
    /// @param task a task
    /// @param rank a rank that starts it
    /// @return the ranks to which it sends; empty if no other family may touch the task
    std::vector<uint32_t> GetPeers(uint32_t task, uint32_t rank) const;

    /// @return the messages that are under way, if nothing else is and none has the ends of another
    std::vector<uint32_t> GetLongMessages() const;

    /// A message that is under way is shortened. bytes: over the fabric.
    void Shorten(uint32_t message, double bytes);

    /// Take what was leapt into the mean error. duration: in ns; error: bound on its relative
    /// error.
    void AddLeap(double duration, double error);

    /// @return what is under way
    const LeapProgress& GetProgress() const
    {
        return m_progress;
    }

    /// @return what was leapt so far
    LeapSummary GetSummary() const;

  private:
    /// What a task does.
    enum class State : uint8_t
    {
        TO_COME,
        EXECUTED,
        LEAPT
    };

    /// A task that is under way.
    struct Active
    {
        uint32_t nStarts{0};              //!< how many have started
        uint32_t nEnds{0};                //!< how many have ended
        int64_t firstStart{0};            //!< when the first one started
        int64_t lastStart{0};             //!< when the last one started
        std::vector<int64_t> ends;        //!< by member
        std::set<uint32_t> neighbors;     //!< kinds of neighbors
        double late{0};                   //!< of a leapt one: ns by which it ended too late
        double error{0};                  //!< of a leapt one: bound on its relative error
        double pace{0};                   //!< sum of its members' paces
        double cut{0};                    //!< bytes that it sends less
        uint32_t leader{LeapTasks::NONE}; //!< of a leapt one: the family that it follows
        bool isAlone{false}; //!< whether a neighbor is not executed as it is, or it was not
        std::shared_ptr<const LeapEstimate> estimate; //!< of a leapt one
    };

    /// What is known of a kind.
    struct Kind
    {
        LeapRecord record;                            //!< of this kind
        std::shared_ptr<const LeapEstimate> estimate; //!< of the next one; null if it is old
        uint64_t nLeapt{0};                           //!< since its samples are known
        std::shared_ptr<const LeapEstimate> allowed;  //!< with which the next is leapt; or null
    };

    /// What is known of a family.
    struct Family
    {
        LeapRecord record;                               //!< of all its kinds
        std::set<uint32_t> touching;                     //!< families that it may touch
        std::map<uint32_t, std::vector<uint32_t>> peers; //!< by rank, the ranks to which it sends
        double bytes{0};                                 //!< over the fabric, of a task
        double leaptTime{0};                             //!< sum of durations of leapt tasks, ns
        double executedTime{0};                          //!< sum of durations of executed tasks, ns
        uint64_t nLeapt{0};                              //!< since its samples are known
        bool touchesOtherJob{false};      //!< whether a task of another job may touch it
        uint32_t leader{LeapTasks::NONE}; //!< the family that does the same elsewhere; or none
        uint32_t nKnown{0};               //!< how many of its tasks have known ends
        std::vector<int64_t> lastEnds;    //!< of the last one of these; before, the least ones
        int64_t lastStagger{0};           //!< of that one
        double lastError{0};              //!< of that one
    };

    void FindTouching(FabricPlaces* places);

    /// Keep how a task ends for the tasks that follow its family.
    void KeepEnds(uint32_t task, const Active& active, const std::vector<int64_t>& ends);

    /// Find families that do the same on alike places that do not touch.
    void FindTwins(const FabricPlaces& places);

    /// Let tasks of followers end as the tasks of their leaders do.
    void Follow();

    /// Let all members of a leapt task end. ends: how long after the last start, by member.
    void EndAll(uint32_t task, const std::vector<int64_t>& ends);

    void Start(const LeapEvent& event);
    void End(uint32_t task, uint32_t member, int64_t time);

    /// A message is there: the first one of its sender, receiver and tag that was executed.
    void Arrive(const LeapEvent& event);

    /// All members of a task have ended.
    void Complete(uint32_t task, int64_t time);

    void AddSample(uint32_t task, const Active& active);

    void Verify(uint32_t task, const Active& active);

    /// Forget the samples of a family.
    void Forget(uint32_t family);

    /// @return what is known of the next task of a kind
    std::shared_ptr<const LeapEstimate> GetEstimate(uint32_t kind);

    /// @return whether the next task of a kind may be leapt, apart from its neighbors
    bool IsKnown(uint32_t kind, int64_t now, int64_t limit);

    /// @return whether a task that touches it is executed, and is no usual neighbor
    bool IsDisturbed(uint32_t kind) const;

    /// Decide whether what follows is executed to check it.
    void ChooseCheck(uint32_t family);

    /// The most important family that was executed most, and why.
    std::string FindReason() const;

    LeapTasks m_tasks;                        //!< the tasks
    LeapSettings m_settings;                  //!< how it leaps
    std::vector<State> m_states;              //!< by task
    std::vector<Kind> m_kinds;                //!< by number
    std::vector<Family> m_families;           //!< by number
    std::map<uint32_t, Active> m_active;      //!< tasks that are under way
    std::multimap<int64_t, LeapEnd> m_coming; //!< ends of leapt tasks that are to come
    std::vector<LeapEnd> m_ends;              //!< the ends that Take() returns
    /// By sender, receiver and tag: executed messages that are not there.
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::deque<uint32_t>> m_onTheWay;
    int64_t m_now{0};               //!< up to when all was told
    LeapProgress m_progress;        //!< what is under way
    std::set<uint32_t> m_following; //!< tasks that all members have started, and whose leader's
                                    //!< ends are not known
    bool m_isOpen{false};           //!< whether nothing else happens, so that tasks may follow
    bool m_isChecking{false};       //!< whether all is executed, to check it
    uint32_t m_checked{0};          //!< the family that ends a check
    double m_leaptTime{0};          //!< sum of durations of leapt tasks, ns
    LeapSummary m_summary;          //!< counts
};

} // namespace ns3::aidc

#endif // AIDC_LEAP_BOOK_H
