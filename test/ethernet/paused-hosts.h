// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PAUSED_HOSTS_H
#define AIDC_PAUSED_HOSTS_H

#include "test/test-case.h"

#include "ns3/ethernet-helper.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/priority-flow-control.h"

// Two hosts that stop each other, for the test suites.

namespace aidctest
{

/// Octets.
using Bytes = std::vector<uint8_t>;

/// A frame that a port has begun to send: when, in ns, and of which class.
using Sent = std::pair<int64_t, char>;
/// What a port has sent.
using SentList = std::vector<Sent>;

/// Write a PFC frame that stops priority 3, or lets it go on. Returns the octets after the source
/// address.
inline Bytes
Pfc3(uint16_t quanta)
{
    return {0x88,
            0x08,
            0x01,
            0x01,
            0x00,
            0x08,
            0,
            0,
            0,
            0,
            0,
            0,
            static_cast<uint8_t>(quanta >> 8),
            static_cast<uint8_t>(quanta)};
}

/// Write frames down.
inline std::string
ToText(const SentList& list)
{
    std::string text;
    for (const auto& [time, kind] : list)
    {
        text += std::to_string(time) + kind + ' ';
    }
    return text;
}

/// Two hosts, A and B, and a link of 8 Gb/s and 1 us.
///
/// A byte takes 1 ns, a quantum of 512 bits 64 ns, a packet of 1500 bytes with all that surrounds
/// it 1538 ns, and a MAC control frame 84 ns, of which the gap behind them is 12 ns: they have
/// arrived before. Of the classes of a port the one with the highest number goes first.
class PausedHostsTestCase : public TestCase
{
  public:
    explicit PausedHostsTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    enum Host : uint32_t
    {
        A, //!< one
        B  //!< the other
    };

    /// Build the hosts, with what is set in m_pfc.
    void Build()
    {
        m_nodes = NodeContainer();
        m_nodes.Create(2);
        EthernetHelper ethernet;
        ethernet.SetDeviceAttribute("DataRate", StringValue("8Gbps"));
        ethernet.SetChannelAttribute("Delay", StringValue("1us"));
        const auto devices = ethernet.Install(m_nodes);
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.Install(m_nodes);
        m_pfc.InstallHosts(m_nodes);
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        for (const auto host : {A, B})
        {
            m_devices[host] = DynamicCast<EthernetNetDevice>(devices.Get(host));
            m_controls[host] = m_devices[host]->GetObject<PriorityFlowControl>();
            m_sent[host].clear();
            m_frames.clear();
            m_sockets[host] = MakeSocket(m_nodes.Get(host), 9);
            ConnectTrace(m_devices[host], "PhyTxBegin", [this, host](Ptr<const Packet> frame) {
                Notify(host, frame);
            });
        }
    }

    /// Have a host send packets of 1500 bytes of a class.
    void Send(int64_t ns, Host host, uint32_t index, uint32_t n)
    {
        Simulator::Schedule(NanoSeconds(ns), [this, host, index, n] {
            const Ipv4Address to(host == A ? "10.0.0.2" : "10.0.0.1");
            // Up to ns-3.41 an address brings its own type of service.
            m_sockets[host]->Connect(InetSocketAddress(to, 9));
            m_sockets[host]->SetIpTos(static_cast<uint8_t>(index << 5));
            for (uint32_t i = 0; i < n; ++i)
            {
                m_sockets[host]->Send(Create<Packet>(1472));
            }
        });
    }

    /// Have a frame arrive at a host. rest: the octets after the source address, which are padded.
    /// size: bytes of the frame without its check sequence.
    void Inject(int64_t ns,
                Host host,
                const Bytes& rest,
                const Bytes& destination = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01},
                std::size_t size = 60)
    {
        Bytes bytes = destination;
        bytes.insert(bytes.end(), {0x02, 0, 0, 0, 0, 0x77});
        bytes.insert(bytes.end(), rest.begin(), rest.end());
        bytes.resize(size);
        Simulator::Schedule(NanoSeconds(ns), [this, host, bytes] {
            m_devices[host]->Receive(
                Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                m_devices[host]->GetLinkEpoch());
        });
    }

    /// Have a host tell its peer to stop a priority, or to go on. xoff: true to stop.
    void SetXoff(int64_t ns, Host host, uint32_t priority, bool xoff)
    {
        Simulator::Schedule(NanoSeconds(ns),
                            &PriorityFlowControl::SetXoff,
                            m_controls[host],
                            priority,
                            xoff);
    }

    /// Run for 1 ms, in which no XOFF of 65535 quanta is repeated.
    void Run()
    {
        RunFor(MilliSeconds(1));
    }

    void DoTeardown() override
    {
        for (const auto host : {A, B})
        {
            m_devices[host] = nullptr;
            m_controls[host] = nullptr;
            m_sockets[host] = nullptr;
        }
        m_nodes = NodeContainer();
        Simulator::Destroy();
    }

    /// Compare what a host has sent. expected: when, and classes; c for MAC control.
    void ExpectSent(Host host, const SentList& expected)
    {
        NS_TEST_EXPECT_MSG_EQ(ToText(m_sent[host]), ToText(expected), "what was sent");
    }

    /// Get the counters of the priority 3 of a host.
    const PriorityFlowControlStatistics::Priority& GetStatistics(Host host) const
    {
        return m_controls[host]->GetStatistics().priorities[3];
    }

    PriorityFlowControlHelper m_pfc;        //!< what hosts get
    NodeContainer m_nodes;                  //!< the hosts
    Ptr<EthernetNetDevice> m_devices[2];    //!< their ports
    Ptr<PriorityFlowControl> m_controls[2]; //!< the flow control of the ports
    SentList m_sent[2];                     //!< what they have sent
    std::vector<Bytes> m_frames;            //!< MAC control frames that were sent

  private:
    void Notify(Host host, Ptr<const Packet> frame)
    {
        Bytes bytes(frame->GetSize());
        frame->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
        const bool isControl = bytes[12] == 0x88 && bytes[13] == 0x08;
        const char kind = isControl ? 'c' : static_cast<char>('0' + (bytes[15] >> 5));
        m_sent[host].emplace_back(Simulator::Now().GetNanoSeconds(), kind);
        if (isControl)
        {
            m_frames.push_back(bytes);
        }
    }

    Ptr<Socket> m_sockets[2]; //!< send
};

} // namespace aidctest

#endif // AIDC_PAUSED_HOSTS_H
