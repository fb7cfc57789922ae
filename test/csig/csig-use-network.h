// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_USE_NETWORK_H
#define AIDC_CSIG_USE_NETWORK_H

#include "csig-host-traffic.h"

#include "ns3/csig-udp-applications.h"

// A source, a sink and a router between them that writes signals, for the test suites.

namespace aidctest
{

/// The port of the sink.
constexpr uint16_t SINK = 7;

/// Make a domain whose locators tell stage and orientation.
inline Ptr<CsigDomain>
MakeDomain()
{
    auto domain = CreateObject<CsigDomain>();
    domain->SetAttribute("ExpandedLocator", StringValue("stage:2,orientation:2,device:8,port:4"));
    return domain;
}

/// A source on host A, a sink on host B, and a router between them.
struct UseNetwork : CsigHostNetwork
{
    UseNetwork()
    {
        for (auto& host : {InstallA(), InstallB()})
        {
            host->SetAttribute("TagUdp", BooleanValue(true));
            host->SetAttribute("Format", EnumValue(CsigFormat::EXPANDED));
            host->SetDomain(domain);
        }
        source = CreateObject<CsigUdpSource>();
        source->SetAttribute("Local", Ipv4AddressValue(addressA));
        source->SetAttribute("Remote", Ipv4AddressValue(addressB));
        source->SetAttribute("RemotePort", UintegerValue(SINK));
        source->SetAttribute("FirstPort", UintegerValue(5000));
        source->SetAttribute("Rate", StringValue("8Mbps"));
        source->SetAttribute("PacketSize", UintegerValue(1000));
        source->SetStartTime(MicroSeconds(10));
        nodes.Get(0)->AddApplication(source);
        sink = CreateObject<CsigUdpSink>();
        sink->SetAttribute("Local", Ipv4AddressValue(addressB));
        sink->SetAttribute("Port", UintegerValue(SINK));
        nodes.Get(2)->AddApplication(sink);
    }

    /// Let the router write a signal on all that goes to B, and count it by source port.
    void WriteAll(uint32_t value, uint16_t locator)
    {
        toB->edit = [this, value, locator](Ptr<Packet> datagram) {
            uint8_t header[2];
            datagram->CopyData(header, 2);
            ++nOfPort[static_cast<uint16_t>(header[0] << 8 | header[1])];
            CsigTag tag;
            if (datagram->PeekPacketTag(tag))
            {
                auto fields = tag.GetFields();
                fields.value = value;
                fields.locator = locator;
                ReplaceTag(datagram, fields);
            }
            return true;
        };
    }

    Ptr<CsigDomain> domain{MakeDomain()}; //!< what the network has in common
    Ptr<CsigUdpSource> source;            //!< on A
    Ptr<CsigUdpSink> sink;                //!< on B
    std::map<uint16_t, uint32_t> nOfPort; //!< datagrams at the router by source port
};

} // namespace aidctest

#endif // AIDC_CSIG_USE_NETWORK_H
