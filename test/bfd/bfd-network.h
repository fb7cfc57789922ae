// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BFD_NETWORK_H
#define AIDC_BFD_NETWORK_H

#include "test/bgp/bgp-network.h"

#include "ns3/bfd-speaker.h"
#include "ns3/ipv4-header.h"
#include "ns3/link-failure-error-model.h"
#include "ns3/udp-header.h"

// Routers with BFD, for the test suites.

namespace aidctest
{

/// A change of the state of a session.
struct SeenState
{
    uint32_t speaker;         //!< whose
    uint32_t session;         //!< the session's number
    BfdState state;           //!< the new state
    BfdDiagnostic diagnostic; //!< the reason
    Time time;                //!< when
};

/// A packet of BFD.
struct SeenPacket
{
    Time time;          //!< when
    Ipv4Header ip;      //!< its header
    UdpHeader udp;      //!< its header
    BfdPacket bfd;      //!< what it says
    uint32_t interface; //!< over which
};

/// Make the devices of a direction of a link lose packets without a notice.
inline Ptr<LinkFailureErrorModel>
MakeSilentFailure(const Ptr<NetDevice>& receiver)
{
    const auto failure = CreateObject<LinkFailureErrorModel>();
    receiver->SetAttribute("ReceiveErrorModel", PointerValue(failure));
    return failure;
}

/// A BgpNetwork whose routers have BFD, too.
class BfdNetwork : public BgpNetwork
{
  public:
    explicit BfdNetwork(uint32_t n,
                        const Attributes& attributes = {},
                        const Attributes& bgpAttributes = {})
        : BgpNetwork(n, bgpAttributes),
          sent(n),
          received(n)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            const auto speaker = CreateObject<BfdSpeaker>();
            SetAll(speaker, attributes);
            speaker->AssignStreams(100 + i);
            ConnectTrace(speaker,
                         "SessionState",
                         [this, i](uint32_t session, BfdState, BfdState state, BfdDiagnostic why) {
                             states.push_back({i, session, state, why, Simulator::Now()});
                         });
            nodes.Get(i)->AddApplication(speaker);
            bfd.push_back(speaker);
            const auto ipv4 = nodes.Get(i)->GetObject<Ipv4>();
            Note(ipv4, "Tx", sent[i]);
            Note(ipv4, "Rx", received[i]);
        }
    }

    /// Add a session at both ends of a link, whose routers have it as their last one. Returns what
    /// fails each direction: to its first end, to its second.
    std::array<Ptr<LinkFailureErrorModel>, 2> AddSession(uint32_t link)
    {
        std::array<Ptr<LinkFailureErrorModel>, 2> failures;
        for (uint32_t end = 0; end < 2; ++end)
        {
            const auto device = links[link].Get(end);
            const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
            const auto interface = static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device));
            BfdSpeaker::Find(device->GetNode())->AddSession(interface, GetAddress(link, 1 - end));
            failures[end] = MakeSilentFailure(device);
        }
        return failures;
    }

    /// Find the last change of the state of a speaker's session. Returns the change; Down at 0 s if
    /// there is none.
    SeenState GetLast(uint32_t speaker) const
    {
        SeenState last{speaker, 0, BfdState::DOWN, BfdDiagnostic::NONE, Time(0)};
        for (const SeenState& seen : states)
        {
            last = seen.speaker == speaker ? seen : last;
        }
        return last;
    }

    std::vector<Ptr<BfdSpeaker>> bfd;              //!< the speakers of BFD
    std::vector<SeenState> states;                 //!< of all sessions
    std::vector<std::vector<SeenPacket>> sent;     //!< by router
    std::vector<std::vector<SeenPacket>> received; //!< by router

  private:
    static void Note(const Ptr<Ipv4>& ipv4, const char* source, std::vector<SeenPacket>& seen)
    {
        ConnectTrace(ipv4,
                     source,
                     [&seen](Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t interface) {
                         const auto copy = packet->Copy();
                         SeenPacket found;
                         copy->RemoveHeader(found.ip);
                         if (found.ip.GetProtocol() != 17)
                         {
                             return;
                         }
                         copy->RemoveHeader(found.udp);
                         std::array<uint8_t, BFD_PACKET_SIZE> bytes{};
                         copy->CopyData(bytes.data(), BFD_PACKET_SIZE);
                         if (DecodeBfdPacket(bytes.data(), bytes.size(), found.bfd) ==
                             BfdDiscard::NONE)
                         {
                             found.time = Simulator::Now();
                             found.interface = interface;
                             seen.push_back(found);
                         }
                     });
    }
};

} // namespace aidctest

#endif // AIDC_BFD_NETWORK_H
