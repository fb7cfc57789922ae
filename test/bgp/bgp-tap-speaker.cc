// SPDX-License-Identifier: GPL-2.0-only

// A super-spine in real time on a tap device, which test/python/bgp_real_peers.py has peer with
// real daemons.
//
// Its routes come from a spine in the same simulation, so that they have bandwidths of both kinds:
// the spine's transitive one, and the super-spine's that is not transitive.
//
//      spine ---- super-spine ---- tap device | daemon
//
// The other program opens the tap device and gives its file descriptor. It writes a command a line
// to the standard input, whose end ends the program:
//
//      originate PREFIX         have the spine announce a route
//      withdraw PREFIX          have it withdraw the route
//      refresh                  ask the daemon for all of its routes
//      restart SECONDS          have the super-spine fail, and be back later
//      shutdown begin|end       begin or end the graceful shutdown of the daemon's session
//      stop                     end the session with the daemon
//      routes                   print the routes from the daemon
//      stale                    print how many of them are stale
//      mute                     send the daemon no UDP, and so no BFD
//      unmute                   send it again
//      bfd-down                 take the BFD session down administratively
//      bfd-up                   let it come up again
//
// and reads what happens between super-spine and daemon from the standard output, a JSON object a
// line.

#include "test/connect-trace.h"

#include "ns3/bfd-speaker.h"
#include "ns3/bgp-speaker.h"
#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/ethernet-helper.h"
#include "ns3/fd-net-device-helper.h"
#include "ns3/fd-net-device.h"
#include "ns3/global-value.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <memory>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// Commands are looked for at this interval.
const Time POLL_INTERVAL = MilliSeconds(10);

/// Write a name and a number.
template <typename Value>
std::string
Member(const std::string& name, Value value)
{
    std::ostringstream text;
    text << std::setprecision(17) << ", \"" << name << "\": " << value;
    return text.str();
}

template <typename Value>
std::string
TextMember(const std::string& name, const Value& value)
{
    std::ostringstream text;
    text << ", \"" << name << "\": \"" << value << '"';
    return text.str();
}

/// Say what has happened.
void
Report(const std::string& event, const std::string& members)
{
    std::cout << "{\"event\": \"" << event << '"' << Member("time", Simulator::Now().GetSeconds())
              << members << '}' << std::endl;
}

std::string
GetHex(const BgpBytes& bytes)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    for (const uint8_t byte : bytes)
    {
        text << std::setw(2) << static_cast<uint32_t>(byte);
    }
    return text.str();
}

/// text: as in 10.0.0.0/8.
void
ReadPrefix(const std::string& text, Ipv4Address& network, Ipv4Mask& mask)
{
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos)
    {
        throw std::invalid_argument(text + ": expected a prefix");
    }
    network = Ipv4Address(text.substr(0, slash).c_str());
    mask = Ipv4Mask(text.substr(slash).c_str());
}

/// Does what it is told by commands.
class TapSpeaker
{
  public:
    TapSpeaker(Ptr<BgpSpeaker> spine,
               Ptr<BgpSpeaker> superSpine,
               uint32_t daemon,
               Ptr<BfdSpeaker> bfd)
        : m_spine(spine),
          m_superSpine(superSpine),
          m_daemon(daemon),
          m_bfd(bfd)
    {
        const auto udp = superSpine->GetNode()->GetObject<UdpL4Protocol>();
        udp->SetDownTarget(IpL4Protocol::DownTargetCallback(
            [this, down = udp->GetDownTarget()](Ptr<Packet> packet,
                                                Ipv4Address source,
                                                Ipv4Address destination,
                                                uint8_t protocol,
                                                Ptr<Ipv4Route> route) {
                if (!m_isMute)
                {
                    down(packet, source, destination, protocol, route);
                }
            }));
        Simulator::Schedule(POLL_INTERVAL, &TapSpeaker::Poll, this);
    }

  private:
    void Poll()
    {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        while (poll(&input, 1, 0) > 0)
        {
            constexpr std::size_t SIZE = 4096;
            char bytes[SIZE];
            const ssize_t size = read(STDIN_FILENO, bytes, SIZE);
            if (size <= 0)
            {
                Simulator::Stop();
                return;
            }
            m_read.append(bytes, static_cast<std::size_t>(size));
        }
        std::size_t end = m_read.find('\n');
        for (; end != std::string::npos; end = m_read.find('\n'))
        {
            Do(m_read.substr(0, end));
            m_read.erase(0, end + 1);
        }
        Simulator::Schedule(POLL_INTERVAL, &TapSpeaker::Poll, this);
    }

    void Do(const std::string& line)
    {
        std::istringstream words(line);
        std::string verb;
        std::string prefix;
        Ipv4Address network;
        Ipv4Mask mask;
        words >> verb;
        if (verb == "originate" && words >> prefix)
        {
            ReadPrefix(prefix, network, mask);
            m_spine->Originate(network, mask);
        }
        else if (verb == "withdraw" && words >> prefix)
        {
            ReadPrefix(prefix, network, mask);
            m_spine->Withdraw(network, mask);
        }
        else if (verb == "refresh")
        {
            m_superSpine->RefreshPeer(m_daemon);
        }
        else if (verb == "restart")
        {
            double seconds = 0;
            words >> seconds;
            m_superSpine->Restart(Seconds(seconds));
        }
        else if (verb == "shutdown" && words >> prefix)
        {
            m_superSpine->SetGracefulShutdown(m_daemon, prefix == "begin");
        }
        else if (verb == "stop")
        {
            m_superSpine->StopPeer(m_daemon);
        }
        else if (verb == "stale")
        {
            Report("stale", Member("count", m_superSpine->GetRib().CountStale(m_daemon)));
        }
        else if (verb == "routes")
        {
            ReportRoutes();
        }
        else if (verb == "mute" || verb == "unmute")
        {
            m_isMute = verb == "mute";
        }
        else if (verb == "bfd-down" || verb == "bfd-up")
        {
            m_bfd->SetAdminDown(0, verb == "bfd-down");
        }
        else
        {
            throw std::invalid_argument("expected a command, found: " + line);
        }
    }

    /// Say which routes there are from the daemon.
    void ReportRoutes()
    {
        const auto routing = MultipathRoutingHelper::GetRouting(m_superSpine->GetNode());
        const BgpRib& rib = m_superSpine->GetRib();
        std::ostringstream text;
        text << ", \"routes\": {";
        const char* comma = "";
        for (const auto& prefix : rib.GetPrefixes())
        {
            const auto& paths = rib.GetPaths(prefix);
            if (paths.empty() || paths[0].peer != m_daemon)
            {
                continue;
            }
            // During a restart, the route is used and not there.
            static const auto NONE = std::make_shared<const BgpPathAttributes>();
            const auto known = rib.GetBest(prefix);
            const auto& best = known ? known : NONE;
            text << comma << '"' << prefix << "\": {\"n_paths\": " << paths.size()
                 << Member("weight", paths[0].weight)
                 << TextMember("next_hop", Ipv4Address(paths[0].nextHop))
                 << TextMember("as_path", best->asPath)
                 << Member("local_pref", best->localPref.value_or(100))
                 << Member("is_leaving", HasBgpCommunity(best->communities, BGP_GRACEFUL_SHUTDOWN))
                 << Member("is_installed", routing->FindTransit(prefix.network + 1) != nullptr)
                 << ", \"communities\": [";
            const char* communityComma = "";
            for (const auto& community : best->extendedCommunities)
            {
                text << communityComma << '"' << std::hex << std::setfill('0') << std::setw(16)
                     << community.value << std::dec << '"';
                communityComma = ", ";
            }
            text << "]}";
            comma = ", ";
        }
        text << '}';
        Report("routes", text.str());
    }

    Ptr<BgpSpeaker> m_spine;      //!< who announces routes
    Ptr<BgpSpeaker> m_superSpine; //!< who tells the daemon
    uint32_t m_daemon;            //!< its number there
    Ptr<BfdSpeaker> m_bfd;        //!< the super-spine's
    bool m_isMute{false};         //!< UDP is not sent
    std::string m_read;           //!< read, without the end of the line
};

/// Report what happens between the super-spine and the daemon.
void
TraceSession(Ptr<BgpSpeaker> speaker, uint32_t daemon)
{
    const auto traceState = [daemon](uint32_t peer, BgpSessionState, BgpSessionState state) {
        if (peer == daemon)
        {
            Report("session", Member("is_up", state == BgpSessionState::ESTABLISHED));
        }
    };
    const auto traceMessage = [daemon](const std::string& event,
                                       uint32_t peer,
                                       BgpMessageType type,
                                       const BgpBytes& bytes) {
        if (peer == daemon)
        {
            Report(event,
                   Member("type", static_cast<uint32_t>(type)) +
                       TextMember("bytes", GetHex(bytes)));
        }
    };
    const auto traceNotification = [daemon](uint32_t peer,
                                            bool isSent,
                                            const BgpNotification& notification) {
        if (peer == daemon)
        {
            Report("notification", Member("is_sent", isSent) + TextMember("what", notification));
        }
    };
    ConnectTrace(speaker, "SessionState", traceState);
    for (const auto& [source, event] :
         {std::pair("MessageSent", "sent"), std::pair("MessageReceived", "received")})
    {
        const std::string name = event;
        ConnectTrace(
            speaker,
            source,
            [traceMessage, name](uint32_t peer, BgpMessageType type, const BgpBytes& bytes) {
                traceMessage(name, peer, type, bytes);
            });
    }
    ConnectTrace(speaker, "Notification", traceNotification);
}

/// Put BFD on a node, with a session with the daemon, and report what happens to it. interval: the
/// least time between packets.
Ptr<BfdSpeaker>
AddBfd(Ptr<NetDevice> device, Ipv4Address daemon, Time interval)
{
    const auto speaker = CreateObject<BfdSpeaker>();
    speaker->SetAttribute("DesiredMinTx", TimeValue(interval));
    speaker->SetAttribute("RequiredMinRx", TimeValue(interval));
    const auto node = device->GetNode();
    node->AddApplication(speaker);
    const int32_t interface = node->GetObject<Ipv4>()->GetInterfaceForDevice(device);
    speaker->AddSession(static_cast<uint32_t>(interface), daemon);
    ConnectTrace(speaker,
                 "SessionState",
                 [](uint32_t, BfdState, BfdState state, BfdDiagnostic diagnostic) {
                     Report("bfd",
                            TextMember("state", GetBfdStateName(state)) +
                                Member("diagnostic", static_cast<uint32_t>(diagnostic)));
                 });
    ConnectTrace(speaker, "Discard", [](BfdDiscard discard, Ipv4Address) {
        Report("bfd-discard", TextMember("reason", GetBfdDiscardName(discard)));
    });
    return speaker;
}

/// address: the address, of a network of 256.
void
SetAddress(Ptr<NetDevice> device, Ipv4Address address)
{
    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("/24")));
    ipv4->SetUp(interface);
}

Ptr<BgpSpeaker>
AddSpeaker(Ptr<Node> node, uint32_t as, const std::string& routerId, const std::string& tier)
{
    const auto speaker = CreateObject<BgpSpeaker>();
    speaker->SetAttribute("As", UintegerValue(as));
    speaker->SetAttribute("RouterId", Ipv4AddressValue(Ipv4Address(routerId.c_str())));
    speaker->SetAttribute("Tier", StringValue(tier));
    speaker->SetAttribute("AttachNonTransitive", BooleanValue(true));
    node->AddApplication(speaker);
    return speaker;
}

} // namespace

int
main(int argc, char* argv[])
{
    int fd = -1;
    uint32_t spineAs = 0;
    uint32_t as = 0;
    uint32_t daemonAs = 0;
    std::string spineId;
    std::string id;
    std::string address;
    std::string daemonAddress;
    double spineBandwidth = 0;
    double daemonBandwidth = 0;
    std::string pcap;
    Time bfdInterval;
    bool usesBfd = false;
    CommandLine cmd(__FILE__);
    cmd.AddValue("fd", "The tap device's file descriptor", fd);
    cmd.AddValue("spineAs", "The spine's AS", spineAs);
    cmd.AddValue("spineId", "The spine's BGP identifier", spineId);
    cmd.AddValue("as", "The super-spine's AS", as);
    cmd.AddValue("id", "The super-spine's BGP identifier", id);
    cmd.AddValue("address", "The super-spine's address on the tap device, of a /24", address);
    cmd.AddValue("daemonAs", "The daemon's AS", daemonAs);
    cmd.AddValue("daemonAddress", "The daemon's address", daemonAddress);
    cmd.AddValue("spineBandwidth", "Of the link to the spine, bytes a second", spineBandwidth);
    cmd.AddValue("daemonBandwidth", "Of the link to the daemon, bytes a second", daemonBandwidth);
    cmd.AddValue("pcap", "A file for all frames, complete when the program has ended", pcap);
    cmd.AddValue("bfd", "Interval of BFD with the daemon; 0s: no BFD", bfdInterval);
    cmd.AddValue("usesBfd", "BGP with the daemon follows BFD", usesBfd);
    cmd.Parse(argc, argv);

    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RealtimeSimulatorImpl"));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));

    NodeContainer nodes(2);
    InternetStackHelper stack;
    stack.SetRoutingHelper(MultipathRoutingHelper());
    stack.Install(nodes);
    const auto link = EthernetHelper().Install(nodes);
    const auto device = CreateObject<FdNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    nodes.Get(1)->AddDevice(device);
    device->SetFileDescriptor(fd);
    SetAddress(link.Get(0), Ipv4Address("192.168.0.1"));
    SetAddress(link.Get(1), Ipv4Address("192.168.0.2"));
    SetAddress(device, Ipv4Address(address.c_str()));
    if (!pcap.empty())
    {
        FdNetDeviceHelper().EnablePcap(pcap, device, true, true);
    }

    const auto spine = AddSpeaker(nodes.Get(0), spineAs, spineId, "Spine");
    BgpPeerSettings up;
    up.address = Ipv4Address("192.168.0.2");
    up.as = as;
    up.tier = PathBandwidthTier::SUPER_SPINE;
    up.linkBandwidth = spineBandwidth;
    up.exchangesNonTransitive = true;
    spine->AddPeer(up);
    const auto superSpine = AddSpeaker(nodes.Get(1), as, id, "SuperSpine");
    BgpPeerSettings down = up;
    down.address = Ipv4Address("192.168.0.1");
    down.as = spineAs;
    down.tier = PathBandwidthTier::SPINE;
    superSpine->AddPeer(down);
    down.address = Ipv4Address(daemonAddress.c_str());
    down.as = daemonAs;
    down.linkBandwidth = daemonBandwidth;
    down.usesBfd = usesBfd;
    const uint32_t daemon = superSpine->AddPeer(down);

    TraceSession(superSpine, daemon);
    const auto bfd = bfdInterval.IsZero() ? nullptr : AddBfd(device, down.address, bfdInterval);
    TapSpeaker tapSpeaker(spine, superSpine, daemon, bfd);
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}
