// SPDX-License-Identifier: GPL-2.0-only

// Writes a capture of BGP sessions over ns-3's TCP, which test/python/test_bgp_session_pcap.py has
// tshark read.
//
// Usage: aidc-test-programs bgp-session-pcap FILE. It prints a line for each type of message: its
// number, and how many messages of how many bytes both speakers have sent.

#include "bgp-network.h"

#include <cstdint>
#include <iostream>

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "Usage: " << argv[0] << " FILE" << std::endl;
        return 2;
    }
    BgpNetwork network(2, {{"HoldTime", "9s"}});
    BgpPeerSettings settings;
    settings.linkBandwidth = 12.5e9;
    network.Peer(0, 1, settings, settings);
    EthernetHelper().EnablePcap(argv[1], network.links[0].Get(0), true, true);
    // Many prefixes, so that messages are of several segments, and begin anywhere in them.
    constexpr uint32_t N = 5000;
    for (uint32_t i = 0; i < N; ++i)
    {
        for (const uint32_t speaker : {0U, 1U})
        {
            network.speakers[speaker]->Originate(
                Ipv4Address(0x14000000 + (speaker << 24) + (i << 8)),
                Ipv4Mask("/24"));
        }
    }
    BgpNetwork::RunUntil(20);
    network.speakers[0]->RefreshPeer(0);
    BgpNetwork::RunUntil(25);
    for (uint32_t i = 0; i < N; i += 2)
    {
        network.speakers[0]->Withdraw(Ipv4Address(0x14000000 + (i << 8)), Ipv4Mask("/24"));
    }
    BgpNetwork::RunUntil(30);
    network.speakers[1]->StopPeer(0);
    BgpNetwork::RunUntil(40);
    BgpSpeakerStatistics both = network.speakers[0]->GetStatistics();
    both += network.speakers[1]->GetStatistics();
    for (std::size_t type = 1; type <= BgpMessageCounts::N_TYPES; ++type)
    {
        const auto& count = both.sent.Get(static_cast<BgpMessageType>(type));
        std::cout << type << ' ' << count.messages << ' ' << count.bytes << '\n';
    }
    return 0;
}
