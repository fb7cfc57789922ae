// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_PORT_H
#define AIDC_CSIG_PORT_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-flow-rule.h"
#include "csig-agent.h"
#include "csig-domain.h"

#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The counters of a port for CSIG tags.
///
/// A tag that arrives is misplaced, discarded, untrusted, bad or stripped at once, or it continues.
struct CsigPortStatistics
{
    uint64_t taggedIn{0};    //!< frames that arrived with a tag
    uint64_t taggedOut{0};   //!< frames that left with a tag
    uint64_t updated{0};     //!< tags into which this port put its value
    uint64_t stripped{0};    //!< tags removed by configuration, at ingress or egress
    uint64_t untrusted{0};   //!< tags from senders that are not trusted
    uint64_t unsupported{0}; //!< tags that ask for a signal that this port does not support
    uint64_t frozen{0};      //!< tags left alone because they forbid an update
    uint64_t bad{0};         //!< tags that cannot be read, and were removed
    uint64_t discarded{0};   //!< frames dropped for their tags, at the level Discard
    uint64_t misplaced{0};   //!< frames dropped because their tag is not the last one
    uint64_t foreign{0};     //!< packet tags that CsigHost has not made; removed
};

/// CSIG in an Ethernet port of a switch or a host.
///
/// Sections 4.4, 6 and 9 of draft-ravi-ippm-csig-01 (February 2024).
///
/// At a switch (role Transit), the tag of a frame stays in its FrameContext on the way through the
/// node, by either datapath. When the transmission starts, the egress port's agent writes its value
/// if it is worse. Tags are never added. The ingress port counts and checks the tags that arrive:
/// it trusts the sender's tags, or ends them.
///
/// At a host (role Host), the port converts between the tags of frames, which are bytes on the
/// wire, and packet tags of type CsigTag, which CsigHost reads and writes. A packet tag that has
/// traveled with the packet itself, not in the frame's bytes, is removed. A network adapter
/// (RoceNic) reads and writes the frame's tag itself, in the FrameContext.
///
/// A tag makes frames 4 or 8 bytes longer; the MTU counts payload and stays the same.
class CsigPort : public EthernetTagProcessor
{
  public:
    /// The kind of node that the port belongs to.
    enum Role : uint8_t
    {
        TRANSIT, //!< at a switch
        HOST     //!< at a host
    };

    /// The levels of support (section 6.2).
    enum Support : uint8_t
    {
        DISCARD,      //!< drops tagged frames
        PASS_THROUGH, //!< leaves tags as they are
        COMPLETE      //!< updates tags
    };

    /// What to do about a tag.
    enum Action : uint8_t
    {
        KEEP,  //!< do not change it
        STRIP, //!< remove it from the frame
        DROP   //!< drop the frame
    };

    /// @return the type ID
    static TypeId GetTypeId();

    /// Become the tag processor of a port, and be aggregated to it.
    ///
    /// Domain, Role, Support and Agent have no effect after that, nor does a change of the port's
    /// rate. An error in them is refused.
    /// @param device the port, which has no tag processor yet
    void Install(Ptr<EthernetNetDevice> device);

    /// Accept the tags of flows, in addition to the flows of earlier rules, although the other end
    /// is not trusted (section 9). Only IPv4 packets without options can match a rule.
    /// @param rule the flows; an impossible rule is refused
    void Authorize(const CsigFlowRule& rule);

    /// @return the agent that measures, null if there is none
    Ptr<CsigAgent> GetAgent() const
    {
        return m_agent;
    }

    /// @return the settings that the whole network has in common
    Ptr<CsigDomain> GetDomain() const
    {
        return m_domain;
    }

    /// @return the statistics
    const CsigPortStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From EthernetTagProcessor
    KnownTags GetKnownTags() const override;
    bool Receive(EthernetNetDevice& device,
                 const EthernetFrame& frame,
                 FrameContext& context) override;
    void Transmit(EthernetNetDevice& device,
                  const EthernetFrame& frame,
                  FrameContext& context) override;

    /// Signature of the trace sources Strip, Untrusted, Unsupported and TagSent.
    /// @param device the port
    /// @param fields the fields of the tag
    typedef void (*TagTracedCallback)(Ptr<const NetDevice> device, const CsigFields& fields);

    /// Signature of the trace source Update.
    /// @param device the port
    /// @param before the fields that the tag had
    /// @param after the fields that it has now
    typedef void (*UpdateTracedCallback)(Ptr<const NetDevice> device,
                                         const CsigFields& before,
                                         const CsigFields& after);

  protected:
    void DoDispose() override;

  private:
    /// A trace source of tags.
    using TagTrace = TracedCallback<Ptr<const NetDevice>, const CsigFields&>;

    /// @return whether the tag of the frame is of an authorized flow
    bool IsAuthorized(const EthernetFrame& frame) const;

    int64_t ToNs(int64_t steps) const;

    /// Write the tag that a host has put on a packet, or keep the tag of a network adapter.
    void TakeFromHost(EthernetNetDevice& device, const Ptr<Packet>& packet, FrameContext& context);

    /// Update the tag of a frame that leaves a switch, by the hop's time and delay.
    void Update(EthernetNetDevice& device,
                const EthernetFrame& frame,
                FrameContext& context,
                CsigHop& hop);

    /// Remove the tag of a frame from its context.
    void Strip(EthernetNetDevice& device, FrameContext& context);

    /// Call a trace source with a tag, unless the bytes of the tag cannot be read.
    void TraceTag(const TagTrace& trace,
                  EthernetNetDevice& device,
                  const FrameContext& context) const;

    // What each packet touches comes first.
    Ptr<CsigAgent> m_agent;            //!< attribute Agent; null if nothing is measured
    Role m_role{TRANSIT};              //!< attribute Role
    Support m_support{COMPLETE};       //!< attribute Support
    Action m_unsupportedAction{KEEP};  //!< attribute UnsupportedAction
    Action m_untrustedAction{STRIP};   //!< attribute UntrustedAction
    bool m_isTrusted{true};            //!< attribute Trusted
    bool m_stripsIngress{false};       //!< attribute StripIngress
    bool m_stripsEgress{false};        //!< attribute StripEgress
    bool m_countsNs{true};             //!< whether a time step is a nanosecond
    uint32_t m_overhead{0};            //!< bytes of a frame on the wire in addition to its own
    CsigTpids m_tpids;                 //!< the domain's TPIDs
    CsigPortStatistics m_statistics;   //!< the statistics
    Ptr<CsigDomain> m_domain;          //!< attribute Domain
    std::vector<CsigFlowRule> m_rules; //!< the authorized flows
    bool m_countsOverhead{true};       //!< attribute CountOverhead
    bool m_isInstalled{false};         //!< whether it serves a port
    TracedCallback<Ptr<const NetDevice>, const CsigFields&, const CsigFields&>
        m_updateTrace;           //!< trace Update
    TagTrace m_stripTrace;       //!< trace Strip
    TagTrace m_untrustedTrace;   //!< trace Untrusted
    TagTrace m_unsupportedTrace; //!< trace Unsupported
    TagTrace m_sentTrace;        //!< trace TagSent
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PORT_H
