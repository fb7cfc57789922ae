/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_VICTIMS_H
#define AIDC_PRE_ECN_VICTIMS_H

#include "ns3/fabric-helper.h"
#include "ns3/flow-records.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// The traffic of PreEcnExperiment that has nothing to do with the WAN: four hosts of a data
/// center send messages of 5 MB, each to the next one, one each 2 ms, eight of them or more.
class PreEcnVictims
{
  public:
    PreEcnVictims();

    /// Connect the hosts, before the simulation begins.
    /// @param aidc the data center, with RoceNics at its hosts
    /// @param start when the first messages are sent
    /// @param duration how long they send, at least; shorter ones are as long as eight messages
    /// @param priority the class of the messages
    /// @param pause the longest pause of that class that comes from the WAN
    void Install(const FabricHelper& aidc,
                 Time start,
                 Time duration,
                 uint32_t priority,
                 Time pause);

    /// Find out what became of the messages. Of several ranks (MpiRanks), each one calls it after
    /// the simulation.
    void Gather()
    {
        m_records->Gather();
    }

    /// Tell whether a message will not arrive. Of several ranks, each one asks at the same point.
    /// @return whether a sender has given up
    bool HasFailed() const
    {
        return m_records->HasFailed();
    }

    /// @return what became of the messages
    const FlowRecords& GetRecords() const
    {
        return *m_records;
    }

    /// @return the longest time that a message has taken, if all are done
    Time GetLongestTime() const;

  private:
    Ptr<FlowRecords> m_records; //!< what became of the messages
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_VICTIMS_H
