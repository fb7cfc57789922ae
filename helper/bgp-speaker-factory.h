/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SPEAKER_FACTORY_H
#define AIDC_BGP_SPEAKER_FACTORY_H

#include "../model/core/fare/path-bandwidth-policy.h"

#include "ns3/attribute.h"
#include "ns3/bgp-speaker.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <set>
#include <string>

namespace ns3::aidc
{

/// Makes the BGP speakers of data centers: a hold time of 9 s and 10 s between attempts to connect,
/// unless the user has set them.
class BgpSpeakerFactory
{
  public:
    BgpSpeakerFactory();

    /// Set an attribute of all speakers.
    void Set(const std::string& name, const AttributeValue& value);

    /// Derive the attributes that are not set, and refuse a user's defaults for those of Create().
    /// @param helper the name of the helper, for the error
    /// @throws std::runtime_error that names the attributes that the user may not set
    void Prepare(const std::string& helper);

    /// Make a speaker, after Prepare(). A super-spine attaches the bandwidth of its links.
    /// routerId: its identifier; tier: its place.
    Ptr<BgpSpeaker> Create(uint32_t as, Ipv4Address routerId, PathBandwidthTier tier) const;

    /// Give an interface an address of a link. ipv4: the node's IPv4; address: the address, of a
    /// prefix of 31 bits (RFC 3021).
    static void AddLinkAddress(const Ptr<Ipv4>& ipv4, uint32_t interface, Ipv4Address address);

  private:
    ObjectFactory m_factory;       //!< makes the speakers
    std::set<std::string> m_isSet; //!< the attributes that were set
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SPEAKER_FACTORY_H
