// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_ROCE_LEDGER_H
#define AIDC_TEST_ROCE_LEDGER_H

#include "roce-network.h"

#include "ns3/roce-work.h"

// Compares what was posted with what has ended and arrived, for the test suites.

namespace aidctest
{

inline constexpr RoceOperation ROCE_OPERATIONS[] = {RoceOperation::SEND,
                                                    RoceOperation::WRITE,
                                                    RoceOperation::READ};

/// What hosts have posted, by where and by which queue pair, to be compared with what has come of
/// it.
class RoceLedger
{
  public:
    /// A host and its queue pair.
    using End = std::pair<uint32_t, uint32_t>;

    /// Post a work request, numbered from 0 on for each queue pair.
    void Post(RoceNetwork& network,
              uint32_t from,
              uint32_t to,
              RoceOperation operation,
              uint64_t nBytes)
    {
        Post(network,
             {from, network.GetQp(from, to)},
             {to, network.GetQp(to, from)},
             operation,
             nBytes);
    }

    /// The same, by any two queue pairs that are connected.
    void Post(RoceNetwork& network,
              const End& from,
              const End& to,
              RoceOperation operation,
              uint64_t nBytes)
    {
        auto& posted = m_posted[from];
        auto& messages = m_messages[to];
        RoceWork work;
        work.id = posted.size();
        work.nBytes = nBytes;
        work.operation = operation;
        if (operation != RoceOperation::READ)
        {
            work.hasImmediate = true;
            work.immediate = static_cast<uint32_t>(messages.size());
            messages.push_back(work);
        }
        posted.push_back(work);
        network.GetNic(from.first)->Post(from.second, work);
    }

    /// Compare with what has happened. Returns what is not so: each request ends once, well and in
    /// the order of posting, each message arrives once, as a whole and in order; empty if all is
    /// so.
    std::string Check(const RoceNetwork& network) const
    {
        std::map<End, std::size_t> nEnded;
        for (const auto& ended : network.completions)
        {
            const auto& [id, nBytes, operation, status] = ended.completion;
            const auto posted = m_posted.find({ended.host, ended.qp});
            const std::size_t i = nEnded[{ended.host, ended.qp}]++;
            if (posted == m_posted.end() || i >= posted->second.size() || id != i ||
                nBytes != posted->second[i].nBytes || operation != posted->second[i].operation ||
                status != RoceStatus::SUCCESS)
            {
                return "completion " + std::to_string(i) + " of host " +
                       std::to_string(ended.host) + " is of request " + std::to_string(id) + ": " +
                       GetRoceStatusName(status);
            }
        }
        std::map<End, std::size_t> nArrived;
        for (const auto& arrived : network.deliveries)
        {
            const auto& [nBytes, immediate, hasImmediate, operation] = arrived.delivery;
            const auto messages = m_messages.find({arrived.host, arrived.qp});
            const std::size_t i = nArrived[{arrived.host, arrived.qp}]++;
            if (messages == m_messages.end() || i >= messages->second.size() || !hasImmediate ||
                immediate != i || nBytes != messages->second[i].nBytes ||
                operation != messages->second[i].operation)
            {
                return "delivery " + std::to_string(i) + " at host " +
                       std::to_string(arrived.host) + " is message " + std::to_string(immediate) +
                       " with " + std::to_string(nBytes) + " bytes";
            }
        }
        for (const auto& [where, posted] : m_posted)
        {
            if (nEnded[where] != posted.size())
            {
                return "host " + std::to_string(where.first) + " has posted " +
                       std::to_string(posted.size()) + " requests, of which " +
                       std::to_string(nEnded[where]) + " have ended";
            }
        }
        for (const auto& [where, messages] : m_messages)
        {
            if (nArrived[where] != messages.size())
            {
                return "host " + std::to_string(where.first) + " has got " +
                       std::to_string(nArrived[where]) + " of " + std::to_string(messages.size()) +
                       " messages";
            }
        }
        return "";
    }

  private:
    /// By host and queue pair.
    using Works = std::map<End, std::vector<RoceWork>>;

    Works m_posted;   //!< what was posted there
    Works m_messages; //!< what is to arrive there
};

} // namespace aidctest

#endif // AIDC_TEST_ROCE_LEDGER_H
