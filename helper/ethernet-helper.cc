// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-helper.h"

#include "../model/core/require-argument.h"
#include "factory-attribute.h"
#include "time-window-helper.h"
#include "user-default.h"

#include "ns3/callback.h"
#include "ns3/ethernet-channel.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <tuple>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetHelper");

void
OrderedTraceStream::Add(uint32_t node, const std::string& row)
{
    if (!m_isScheduled)
    {
        m_isScheduled = true;
        Simulator::ScheduleDestroy(&OrderedTraceStream::Flush, Ptr<OrderedTraceStream>(this));
    }
    const Time now = Simulator::Now();
    m_rows.emplace(std::make_pair(now, node), row);
    m_latest = std::max(m_latest, now);
    const Time window = TimeWindowHelper::GetWindow();
    while (m_rows.begin()->first.first + window < m_latest)
    {
        WriteFirst();
    }
}

void
OrderedTraceStream::Flush()
{
    while (!m_rows.empty())
    {
        WriteFirst();
    }
    m_stream->GetStream()->flush();
    m_latest = Time();
    m_isScheduled = false;
}

void
OrderedTraceStream::WriteFirst()
{
    *m_stream->GetStream() << m_rows.begin()->second;
    m_rows.erase(m_rows.begin());
}

namespace
{

/// A sink of AsciiTraceHelper that names the device.
using NamedSink = void (*)(Ptr<OutputStreamWrapper>, std::string, Ptr<const Packet>);

/// Have the lines of a sink written in order. ordered: the stream that puts them in order.
Callback<void, std::string, Ptr<const Packet>>
MakeOrderedSink(Ptr<OrderedTraceStream> ordered, uint32_t node, NamedSink sink)
{
    return Callback<void, std::string, Ptr<const Packet>>(
        [ordered, node, sink](std::string context, Ptr<const Packet> packet) {
            std::ostringstream row;
            row.copyfmt(*ordered->GetStream()->GetStream());
            sink(Create<OutputStreamWrapper>(&row), context, packet);
            ordered->Add(node, row.str());
        });
}

} // namespace

EthernetHelper::EthernetHelper()
{
    m_deviceFactory.SetTypeId(EthernetNetDevice::GetTypeId());
    m_channelFactory.SetTypeId(EthernetChannel::GetTypeId());
}

void
EthernetHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_deviceFactory, name, value);
}

void
EthernetHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_channelFactory, name, value);
}

NetDeviceContainer
EthernetHelper::Install(const NodeContainer& nodes) const
{
    AIDC_REFUSED_UNLESS(nodes.GetN() == 2,
                        "EthernetHelper: expected 2 nodes to link, found " << nodes.GetN());
    return Install(nodes.Get(0), nodes.Get(1));
}

NetDeviceContainer
EthernetHelper::Install(Ptr<Node> a, Ptr<Node> b) const
{
    RefuseUserDefaults("ns3::aidc::EthernetNetDevice",
                       {"Address"},
                       "EthernetHelper, which gives each port its own");
    const auto channel = m_channelFactory.Create<EthernetChannel>();
    NetDeviceContainer devices;
    for (const auto& node : std::array{a, b})
    {
        auto device = m_deviceFactory.Create<EthernetNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        node->AddDevice(device);
        device->Attach(channel);
        devices.Add(device);
    }
    return devices;
}

void
EthernetHelper::EnablePcapInternal(std::string prefix,
                                   Ptr<NetDevice> device,
                                   bool promiscuous,
                                   bool explicitFilename)
{
    const auto port = DynamicCast<EthernetNetDevice>(device);
    if (!port)
    {
        NS_LOG_INFO("EthernetHelper: " << device << " is not an EthernetNetDevice");
        return;
    }
    PcapHelper pcap;
    const std::string name = explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, device);
    const auto file = pcap.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    pcap.HookDefaultSink<EthernetNetDevice>(port, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

void
EthernetHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                    std::string prefix,
                                    Ptr<NetDevice> device,
                                    bool explicitFilename)
{
    const auto port = DynamicCast<EthernetNetDevice>(device);
    if (!port)
    {
        NS_LOG_INFO("EthernetHelper: " << device << " is not an EthernetNetDevice");
        return;
    }
    Packet::EnablePrinting();
    AsciiTraceHelper ascii;
    using A = AsciiTraceHelper;
    using Plain = void (*)(Ptr<OutputStreamWrapper>, Ptr<const Packet>);
    const std::vector<std::tuple<std::string, Plain, NamedSink>> sinks{
        {"MacTx", &A::DefaultEnqueueSinkWithoutContext, &A::DefaultEnqueueSinkWithContext},
        {"PhyTxBegin", &A::DefaultDequeueSinkWithoutContext, &A::DefaultDequeueSinkWithContext},
        {"MacRx", &A::DefaultReceiveSinkWithoutContext, &A::DefaultReceiveSinkWithContext},
        {"MacTxDrop", &A::DefaultDropSinkWithoutContext, &A::DefaultDropSinkWithContext},
        {"PhyRxDrop", &A::DefaultDropSinkWithoutContext, &A::DefaultDropSinkWithContext}};
    if (!stream)
    {
        const auto file = ascii.CreateFileStream(
            explicitFilename ? prefix : ascii.GetFilenameFromDevice(prefix, device));
        for (const auto& [name, plain, named] : sinks)
        {
            port->TraceConnectWithoutContext(name, MakeBoundCallback(plain, file));
        }
        return;
    }
    // A file of several devices names them.
    std::ostringstream path;
    path << "/NodeList/" << port->GetNode()->GetId() << "/DeviceList/" << port->GetIfIndex()
         << "/$ns3::aidc::EthernetNetDevice/";
    auto found = std::find_if(m_streams.begin(), m_streams.end(), [&](const auto& ordered) {
        return ordered->GetStream() == stream;
    });
    if (found == m_streams.end())
    {
        found = m_streams.insert(found, Create<OrderedTraceStream>(stream));
    }
    for (const auto& sink : sinks)
    {
        port->TraceConnect(std::get<0>(sink),
                           path.str() + std::get<0>(sink),
                           MakeOrderedSink(*found, port->GetNode()->GetId(), std::get<2>(sink)));
    }
}

} // namespace ns3::aidc
