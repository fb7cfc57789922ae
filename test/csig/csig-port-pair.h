// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_PORT_PAIR_H
#define AIDC_CSIG_PORT_PAIR_H

#include "model/core/csig/csig-fields.h"
#include "model/core/ethernet/ethernet-fields.h"
#include "test/ethernet/ethernet-pair.h"

#include "ns3/csig-agent.h"
#include "ns3/csig-domain.h"
#include "ns3/csig-port.h"
#include "ns3/ethernet-frame.h"
#include "ns3/protocol-numbers.h"

// Two Ethernet ports with CSIG, for the test suites. At 8 Gb/s a byte takes 1 ns.

namespace aidctest
{

/// What a tag says, in the order of the draft's figure 1. Returns the fields, with R 0.
inline CsigFields
MakeTag(uint8_t type, uint32_t value, uint16_t locator = 0, CsigFormat format = CsigFormat::COMPACT)
{
    return {format, type, 0, locator, value};
}

/// Read the tag of a frame, behind any VLAN tags. Returns its fields, none if it has no tag of
/// CSIG's default TPIDs.
inline std::optional<CsigFields>
ReadFrameTag(const Bytes& frame)
{
    std::size_t at = 12;
    while (at + 4 < frame.size() && (frame[at] == 0x81 || frame[at] == 0x88) &&
           (frame[at + 1] == 0x00 || frame[at + 1] == 0xa8))
    {
        at += 4;
    }
    return DecodeCsigTag(frame.data() + at, frame.size() - at, {});
}

/// A format of tags.
constexpr auto EXPANDED = CsigFormat::EXPANDED;

/// The tag that the cases below send: max(PD), S 9, LM 17; it stays so after a short delay.
const CsigFields TAG = MakeTag(2, 9, 17);

/// Ports a and b, each with a CsigPort; what a sends is as if it had come from another port.
class CsigPortPair : public EthernetPair
{
  public:
    explicit CsigPortPair(const Attributes& portA = {},
                          const Attributes& agentA = {},
                          const Attributes& portB = {},
                          const Attributes& device = {},
                          const Attributes& domainAttributes = {})
        : EthernetPair(device)
    {
        domain = CreateObject<CsigDomain>();
        SetAll(domain, domainAttributes);
        csigA = Make(portA, agentA);
        csigB = Make(portB, {});
        csigA->Install(a.Get());
        csigB->Install(b.Get());
        a.Trace("PhyTxBegin");
    }

    /// Let a send a packet that has come to its node at another port. time: when, in ns. payload:
    /// bytes. delay: how long ago it has arrived, in ns.
    void Forward(int64_t time,
                 uint32_t payload,
                 const std::optional<CsigFields>& tag = std::nullopt,
                 int64_t delay = 0)
    {
        Simulator::Schedule(NanoSeconds(time), [this, payload, tag, delay] {
            ForwardNow(Create<Packet>(payload), tag, delay);
        });
    }

    /// Let a send a packet, now, that has come to its node at another port. delay: how long ago it
    /// has arrived, in ns.
    void ForwardNow(Ptr<Packet> packet, const std::optional<CsigFields>& tag, int64_t delay = 0)
    {
        FrameContext context;
        context.ingressPort = 7;
        context.arrival = (Simulator::Now() - NanoSeconds(delay)).GetTimeStep();
        if (tag)
        {
            context.tagSize =
                static_cast<uint8_t>(EncodeCsigTag(*tag, domain->GetTpids(), context.tag.data()));
        }
        packet->AddPacketTag(FrameContextTag(context));
        a->Send(packet, b->GetAddress(), ETHERTYPE_IPV4);
    }

    /// Run, and get the tags of the frames that a has sent. Returns a tag a frame, or none.
    std::vector<std::optional<CsigFields>> Run()
    {
        Simulator::Run();
        std::vector<std::optional<CsigFields>> tags;
        for (const auto& frame : a.traced)
        {
            tags.push_back(ReadFrameTag(frame.bytes));
        }
        return tags;
    }

    Ptr<CsigDomain> domain; //!< of both ports
    Ptr<CsigPort> csigA;    //!< a's
    Ptr<CsigPort> csigB;    //!< b's

  private:
    Ptr<CsigPort> Make(const Attributes& port, const Attributes& agent) const
    {
        auto measuring = CreateObject<CsigAgent>();
        SetAll(measuring, agent);
        auto csig = CreateObject<CsigPort>();
        SetAll(csig, port);
        csig->SetAttribute("Domain", PointerValue(domain));
        csig->SetAttribute("Agent", PointerValue(measuring));
        return csig;
    }
};

} // namespace aidctest

#endif // AIDC_CSIG_PORT_PAIR_H
