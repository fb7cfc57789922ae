/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BFD_SPEAKER_FACTORY_H
#define AIDC_BFD_SPEAKER_FACTORY_H

#include "ns3/bfd-speaker.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::aidc
{

/// Puts BFD on nodes, for helpers, if the user wants it.
class BfdSpeakerFactory
{
  public:
    BfdSpeakerFactory();

    /// Set that nodes get a speaker. interval: the attributes DesiredMinTx and RequiredMinRx;
    /// multiplier: the attribute DetectMultiplier.
    void Set(Time interval, uint8_t multiplier);

    /// Have speakers block the next hops over links that have failed.
    void BlockNextHops();

    /// @return whether nodes get a speaker
    bool IsSet() const
    {
        return m_isSet;
    }

    /// Put a speaker on a node, if nodes get one. @return the speaker, null if there is none
    Ptr<BfdSpeaker> Install(Ptr<Node> node) const;

    /// Assign a fixed random variable stream to the speaker of a node. node: the node, which may be
    /// of another process. @return the number of streams used: 1, or 0 if nodes get no speaker
    int64_t AssignStreams(Ptr<Node> node, int64_t stream) const;

  private:
    ObjectFactory m_factory; //!< makes speakers
    bool m_isSet{false};     //!< nodes get one
};

} // namespace ns3::aidc

#endif // AIDC_BFD_SPEAKER_FACTORY_H
