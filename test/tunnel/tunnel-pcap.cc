// SPDX-License-Identifier: GPL-2.0-only

// Writes captures of IP-in-IP tunnels, which test/python/test_tunnel_pcap.py has tshark read.
//
// Usage: aidc-test-programs tunnel-pcap FOLDER. The captures nested-fast.pcap and nested-stack.pcap
// are of the link behind a tunnel's entry, whose path has two waypoints, so that packets have three
// outer headers there; exit-fast.pcap and exit-stack.pcap are of the link behind the exit. Captures
// gre-, gre-key- and vxlan- are of the link behind the entry of such a tunnel.

#include "tunnel-network.h"

#include <iostream>
#include <string>

namespace
{

/// Send packets through a tunnel and capture them.
void
Capture(const std::string& folder, SwitchDatapath::Mode mode)
{
    using N = TunnelNetwork;
    const std::string name = mode == SwitchDatapath::FAST ? "fast.pcap" : "stack.pcap";
    N::Settings settings;
    settings.mode = mode;
    settings.paths = {{Ipv4Address("192.0.2.12"), Ipv4Address("192.0.2.11")}};
    settings.tunnel = {{"TtlModel", "Uniform"}, {"KeepaliveInterval", "1ms"}};
    N network(settings);
    EthernetHelper ethernet;
    ethernet.EnablePcap(folder + "/nested-" + name, network.GetPort(N::P1, N::C2), true, true);
    ethernet.EnablePcap(folder + "/exit-" + name, network.GetPort(N::P2, N::B), true, true);
    network.AddEcnWriter()->SetCodepoint(1);
    for (uint32_t tos = 0; tos < 256; ++tos)
    {
        DatagramSpec spec;
        spec.tos = static_cast<uint8_t>(tos);
        spec.ttl = static_cast<uint8_t>(64 + tos % 7);
        spec.port = static_cast<uint16_t>(50000 + tos);
        spec.size = 28 + 4 * tos;
        network.SendAt(MicroSeconds(5 * tos), MakeDatagram(spec));
    }
    DatagramSpec spec;
    spec.size = 5000;
    spec.fragment = 0;
    network.SendAt(MicroSeconds(1500), MakeDatagram(spec));
    Simulator::Stop(MilliSeconds(3));
    Simulator::Run();
}

/// Send packets through a tunnel with a shim and capture them. mode: how packets get through
/// routers.
void
CaptureShim(const std::string& prefix, SwitchDatapath::Mode mode, const Attributes& tunnel)
{
    using N = TunnelNetwork;
    N::Settings settings;
    settings.mode = mode;
    settings.tunnel = tunnel;
    N network(settings);
    EthernetHelper ethernet;
    ethernet.EnablePcap(prefix + (mode == SwitchDatapath::FAST ? "-fast.pcap" : "-stack.pcap"),
                        network.GetPort(N::P1, N::C1),
                        true,
                        true);
    for (uint32_t tos = 0; tos < 256; ++tos)
    {
        DatagramSpec spec;
        spec.tos = static_cast<uint8_t>(tos);
        spec.port = static_cast<uint16_t>(50000 + tos);
        spec.size = 28 + 4 * tos;
        network.SendAt(MicroSeconds(5 * tos), MakeDatagram(spec));
    }
    Simulator::Run();
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "Usage: " << argv[0] << " FOLDER" << std::endl;
        return 2;
    }
    const std::string folder = argv[1];
    for (const auto mode : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        Capture(folder, mode);
        CaptureShim(folder + "/gre", mode, {{"Encapsulation", "Gre"}});
        CaptureShim(folder + "/gre-key", mode, {{"Encapsulation", "Gre"}, {"GreKey", "66051"}});
        CaptureShim(folder + "/vxlan", mode, {{"Encapsulation", "Vxlan"}, {"Vni", "66051"}});
    }
    return 0;
}
