// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_COLLECTIVE_EXECUTOR_H
#define AIDC_COLLECTIVE_EXECUTOR_H

#include "test/core/core-test.h"

#include "ns3/collective-schedule.h"

#include <list>

// Executes the steps of collectives with data, for the tests of the core.

namespace aidctest
{

/// A byte of the data, wide enough that no two sums of members' bytes are equal by chance.
using Data = std::vector<uint64_t>;

/// The byte that a member has at a place in the beginning (the mixing of SplitMix64).
inline uint64_t
GetInput(uint32_t member, uint64_t place)
{
    uint64_t z = (uint64_t{member} << 32 | place) + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/// Where a part of a division into equal parts begins, larger ones first.
inline uint64_t
GetBegin(uint64_t bytes, uint32_t n, uint32_t part)
{
    return bytes / n * part + std::min<uint64_t>(part, bytes % n);
}

/// Does the steps of all members, in any order that they allow, with data.
class Executor
{
  public:
    explicit Executor(const CollectiveSchedule& schedule)
        : sent(schedule.GetNMembers()),
          m_schedule(schedule),
          m_n(schedule.GetNMembers()),
          m_steps(m_n, std::vector<uint32_t>(schedule.GetNLanes())),
          m_hasSent(m_n, std::vector<bool>(schedule.GetNLanes()))
    {
        if (schedule.GetSettings().sizes)
        {
            SetUnequal(*schedule.GetSettings().sizes);
            return;
        }
        const uint64_t bytes = schedule.GetBytes();
        for (uint32_t member = 0; member < m_n; ++member)
        {
            const uint64_t begin = GetBegin(bytes, m_n, member);
            const uint64_t end = GetBegin(bytes, m_n, member + 1);
            Data data(bytes);
            for (uint64_t place = 0; place < bytes; ++place)
            {
                const bool isOwn = place >= begin && place < end;
                data[place] = schedule.GetKind() == CollectiveKind::ALL_GATHER && !isOwn
                                  ? 0
                                  : GetInput(member, place);
            }
            outputs.push_back(data);
            inputs.push_back(data);
            if (schedule.GetKind() == CollectiveKind::ALL_TO_ALL)
            {
                outputs.back().assign(m_n * (end - begin), 0);
                std::copy(data.begin() + begin,
                          data.begin() + end,
                          outputs.back().begin() + member * (end - begin));
            }
        }
    }

    /// Do all steps, with choices from a generator of numbers; returns whether all could be done.
    template <typename Choose>
    bool Run(Choose choose)
    {
        std::vector<std::pair<uint32_t, uint32_t>> lanes;
        for (uint32_t member = 0; member < m_n; ++member)
        {
            for (uint32_t lane = 0; lane < m_schedule.GetNLanes(); ++lane)
            {
                lanes.emplace_back(member, lane);
            }
        }
        while (!lanes.empty())
        {
            // From a lane by choice on, the first one that gets any further
            const std::size_t first = choose(lanes.size());
            std::size_t tried = 0;
            while (tried < lanes.size() && !Advance(lanes[(first + tried) % lanes.size()]))
            {
                ++tried;
            }
            if (tried == lanes.size())
            {
                return false;
            }
            const std::size_t index = (first + tried) % lanes.size();
            const auto [member, lane] = lanes[index];
            if (m_steps[member][lane] == m_schedule.GetNSteps(member, lane))
            {
                lanes[index] = lanes.back();
                lanes.pop_back();
            }
        }
        return m_messages.empty();
    }

    std::vector<Data> inputs;   //!< what members had
    std::vector<Data> outputs;  //!< what members have
    std::vector<uint64_t> sent; //!< bytes that members have sent
    /// Messages with bytes to members that had not got the buffer that is folded into theirs.
    uint32_t nEarly{0};

    /// Do what can be done before any buffer that is folded into another one has arrived.
    void RunBeforeFolds()
    {
        Sweep(true);
    }

    /// Do all steps, lane after lane, again and again; returns whether all could be done.
    bool RunInRounds()
    {
        Sweep(false);
        bool isDone = true;
        for (uint32_t member = 0; member < m_n; ++member)
        {
            for (uint32_t lane = 0; lane < m_schedule.GetNLanes(); ++lane)
            {
                isDone = isDone && m_steps[member][lane] == m_schedule.GetNSteps(member, lane);
            }
        }
        return isDone && m_messages.empty();
    }

  private:
    /// Do steps, lane after lane, until no lane gets any further.
    void Sweep(bool stopsAtFolds)
    {
        for (bool hasMoved = true; hasMoved;)
        {
            hasMoved = false;
            for (uint32_t member = 0; member < m_n; ++member)
            {
                for (uint32_t lane = 0; lane < m_schedule.GetNLanes(); ++lane)
                {
                    const bool isLeft = m_steps[member][lane] < m_schedule.GetNSteps(member, lane);
                    const bool isStopped = stopsAtFolds && AwaitsFold(member, lane);
                    hasMoved |= isLeft && !isStopped && Advance({member, lane});
                }
            }
        }
    }

    /// Give members what they have before an all-to-all of unequal sizes.
    void SetUnequal(const CollectiveSizes& sizes)
    {
        for (uint32_t member = 0; member < m_n; ++member)
        {
            const CollectivePart last = sizes.GetSent(member, m_n - 1);
            Data data(last.offset + last.bytes);
            for (uint64_t place = 0; place < data.size(); ++place)
            {
                data[place] = GetInput(member, place);
            }
            const CollectivePart lastReceived = sizes.GetReceived(m_n - 1, member);
            Data output(lastReceived.offset + lastReceived.bytes);
            const CollectivePart own = sizes.GetSent(member, member);
            std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(own.offset),
                        own.bytes,
                        output.begin() +
                            static_cast<std::ptrdiff_t>(sizes.GetReceived(member, member).offset));
            inputs.push_back(data);
            outputs.push_back(output);
        }
    }

    /// Whether a member still waits for the buffer of the member before it.
    bool AwaitsFold(uint32_t member, uint32_t lane) const
    {
        uint32_t power = 1;
        while (2 * power <= m_n)
        {
            power *= 2;
        }
        return member < 2 * (m_n - power) && member % 2 == 1 && m_steps[member][lane] == 0;
    }

    /// Send and receive what a lane can; returns whether it could do any of it.
    bool Advance(const std::pair<uint32_t, uint32_t>& which)
    {
        const auto [member, lane] = which;
        uint32_t& number = m_steps[member][lane];
        if (number == m_schedule.GetNSteps(member, lane))
        {
            return true;
        }
        const CollectiveStep step = m_schedule.GetStep(member, lane, number);
        const bool sends = step.sendTo != CollectiveStep::NONE && !m_hasSent[member][lane];
        if (sends)
        {
            const Data& from = m_schedule.GetKind() == CollectiveKind::ALL_TO_ALL ? inputs[member]
                                                                                  : outputs[member];
            Data message;
            message.reserve(step.sendBytes);
            for (uint64_t i = 0; i < step.sendBytes; ++i)
            {
                message.push_back(from.at(step.sendOffset + i));
            }
            m_messages[std::make_tuple(member, step.sendTo, lane)].push_back(std::move(message));
            const bool folds = member + 1 == step.sendTo;
            nEarly += step.sendBytes > 0 && !folds && AwaitsFold(step.sendTo, lane) ? 1 : 0;
            sent[member] += step.sendBytes;
        }
        m_hasSent[member][lane] = true;
        if (step.receiveFrom != CollectiveStep::NONE)
        {
            const auto found = m_messages.find(std::make_tuple(step.receiveFrom, member, lane));
            if (found == m_messages.end())
            {
                return sends;
            }
            const Data& message = found->second.front();
            EXPECT_EQ(message.size(), step.receiveBytes);
            for (uint64_t i = 0; i < step.receiveBytes; ++i)
            {
                uint64_t& byte = outputs[member].at(step.receiveOffset + i);
                byte = message[i] + (step.reduces ? byte : 0);
            }
            found->second.pop_front();
            if (found->second.empty())
            {
                m_messages.erase(found);
            }
        }
        m_hasSent[member][lane] = false;
        ++number;
        return true;
    }

    CollectiveSchedule m_schedule;
    uint32_t m_n;
    std::vector<std::vector<uint32_t>> m_steps;
    std::vector<std::vector<bool>> m_hasSent;
    /// Messages under way, by sender, receiver and lane.
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::list<Data>> m_messages;
};

/// Whether all members have the data in the end that the collective promises; of a reduce-scatter's
/// output only the member's own block counts.
inline bool
HasRightData(const Executor& executor, const CollectiveSchedule& schedule)
{
    const uint32_t n = schedule.GetNMembers();
    const uint64_t bytes = schedule.GetBytes();
    const auto& sizes = schedule.GetSettings().sizes;
    Data sum(bytes);
    Data blocks; // of each member, its own one
    for (uint32_t member = 0; member < n && !sizes; ++member)
    {
        const Data& input = executor.inputs[member];
        for (uint64_t place = 0; place < bytes; ++place)
        {
            sum[place] += input[place];
        }
        blocks.insert(blocks.end(),
                      input.begin() + static_cast<std::ptrdiff_t>(GetBegin(bytes, n, member)),
                      input.begin() + static_cast<std::ptrdiff_t>(GetBegin(bytes, n, member + 1)));
    }
    bool isRight = true;
    for (uint32_t member = 0; member < n; ++member)
    {
        const Data& output = executor.outputs[member];
        const auto begin = static_cast<std::ptrdiff_t>(GetBegin(bytes, n, member));
        const auto end = static_cast<std::ptrdiff_t>(GetBegin(bytes, n, member + 1));
        switch (schedule.GetKind())
        {
        case CollectiveKind::ALL_REDUCE:
            isRight = isRight && output == sum;
            break;
        case CollectiveKind::REDUCE_SCATTER:
            isRight = isRight &&
                      std::equal(output.begin() + begin, output.begin() + end, sum.begin() + begin);
            break;
        case CollectiveKind::ALL_GATHER:
            isRight = isRight && output == blocks;
            break;
        case CollectiveKind::BROADCAST:
            isRight = isRight && output == executor.inputs[schedule.GetSettings().root];
            break;
        case CollectiveKind::ALL_TO_ALL: {
            Data expected;
            for (uint32_t from = 0; from < n; ++from)
            {
                const CollectivePart part =
                    sizes ? sizes->GetSent(from, member)
                          : CollectivePart{static_cast<uint64_t>(begin),
                                           static_cast<uint64_t>(end - begin)};
                const auto first =
                    executor.inputs[from].begin() + static_cast<std::ptrdiff_t>(part.offset);
                expected.insert(expected.end(),
                                first,
                                first + static_cast<std::ptrdiff_t>(part.bytes));
            }
            isRight = isRight && output == expected;
            break;
        }
        }
    }
    return isRight;
}

} // namespace aidctest

#endif // AIDC_COLLECTIVE_EXECUTOR_H
