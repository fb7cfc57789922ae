/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "death-test.h"

#include "ns3/ethernet-channel.h"
#include "ns3/ethernet-helper.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/priority-flow-control.h"
#include "ns3/queue-disc.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

using Bytes = std::vector<uint8_t>;

/// A frame that a port has begun to send: when, in ns, and of which class.
using Sent = std::pair<int64_t, char>;
using SentList = std::vector<Sent>;

/// The octets after the source address of a PFC frame that stops priority 3, or lets it go on.
Bytes
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

/**
 * @brief Write frames down.
 * @param list the frames
 * @return them in words
 */
std::string
ToText(const SentList& list)
{
    std::string text;
    for (const auto& [time, kind] : list)
    {
        text += std::to_string(time) + kind + ' ';
    }
    return text;
}

/**
 * @ingroup aidc-test
 * @brief Two hosts, A and B, and a link of 8 Gb/s and 1 us.
 *
 * A byte takes 1 ns, a quantum of 512 bits 64 ns, a packet of 1500 bytes with all that surrounds it
 * 1538 ns, and a MAC control frame 84 ns. Of the classes of a port the one with the highest number
 * goes first.
 */
class PfcTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param name what is to be true
     */
    explicit PfcTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /// The hosts.
    enum Host : uint32_t
    {
        A, ///< one
        B  ///< the other
    };

    /**
     * @brief Build the hosts, with what is set in m_pfc.
     */
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
            m_sockets[host] =
                Socket::CreateSocket(m_nodes.Get(host), UdpSocketFactory::GetTypeId());
            m_sockets[host]->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        }
        m_devices[A]->TraceConnectWithoutContext("PhyTxBegin",
                                                 MakeCallback(&PfcTestCase::NotifyA, this));
        m_devices[B]->TraceConnectWithoutContext("PhyTxBegin",
                                                 MakeCallback(&PfcTestCase::NotifyB, this));
    }

    /**
     * @brief Have a host send packets of 1500 bytes of a class.
     * @param ns when
     * @param host the host
     * @param index the class
     * @param n how many
     */
    void Send(int64_t ns, Host host, uint32_t index, uint32_t n)
    {
        Simulator::Schedule(NanoSeconds(ns), [this, host, index, n] {
            m_sockets[host]->SetIpTos(static_cast<uint8_t>(index << 5));
            const Ipv4Address to(host == A ? "10.0.0.2" : "10.0.0.1");
            for (uint32_t i = 0; i < n; ++i)
            {
                m_sockets[host]->SendTo(Create<Packet>(1472), 0, InetSocketAddress(to, 9));
            }
        });
    }

    /**
     * @brief Have a frame arrive at a host.
     * @param ns when
     * @param host the host
     * @param rest the octets after the source address, which are padded
     * @param destination the destination address, that of MAC control by default
     */
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

    /**
     * @brief Have a host tell its peer to stop a priority, or to go on.
     * @param ns when
     * @param host the host
     * @param priority the priority
     * @param xoff true to stop
     */
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
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
    }

    /// Forget all.
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

    /**
     * @brief Compare what a host has sent.
     * @param host the host
     * @param expected when, and classes; c for MAC control
     */
    void ExpectSent(Host host, const SentList& expected)
    {
        NS_TEST_EXPECT_MSG_EQ(ToText(m_sent[host]), ToText(expected), "what was sent");
    }

    /**
     * @brief Get the counters of the priority 3 of a host.
     * @param host the host
     * @return the counters
     */
    const PriorityFlowControlStatistics::Priority& GetCounters(Host host) const
    {
        return m_controls[host]->GetStatistics().priorities[3];
    }

    PriorityFlowControlHelper m_pfc;        ///< what hosts get
    NodeContainer m_nodes;                  ///< the hosts
    Ptr<EthernetNetDevice> m_devices[2];    ///< their ports
    Ptr<PriorityFlowControl> m_controls[2]; ///< the flow control of the ports
    SentList m_sent[2];                     ///< what they have sent
    std::vector<Bytes> m_frames;            ///< MAC control frames that were sent

  private:
    /**
     * @brief Note a frame.
     * @param host who sends it
     * @param frame the frame
     */
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

    /**
     * @brief Note a frame of A.
     * @param frame the frame
     */
    void NotifyA(Ptr<const Packet> frame)
    {
        Notify(A, frame);
    }

    /**
     * @brief Note a frame of B.
     * @param frame the frame
     */
    void NotifyB(Ptr<const Packet> frame)
    {
        Notify(B, frame);
    }

    Ptr<Socket> m_sockets[2]; ///< send
};

/**
 * @ingroup aidc-test
 * @brief PFC frames on the wire: IEEE 802.3, Annex 31D.
 */
class WireTestCase : public PfcTestCase
{
  public:
    WireTestCase()
        : PfcTestCase("Annex 31D: a PFC frame on the wire")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        m_devices[B]->SetAddress(Mac48Address("02:00:00:00:00:0b"));
        SetXoff(0, B, 3, true);
        SetXoff(1000, B, 3, false);
        Run();
        Bytes stop{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x0b, 0x88,
                   0x08, 0x01, 0x01, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff};
        stop.resize(60);
        Bytes goOn = stop;
        goOn[24] = goOn[25] = 0;
        NS_TEST_ASSERT_MSG_EQ(m_frames.size(), 2, "one to stop and one to go on");
        NS_TEST_EXPECT_MSG_EQ((m_frames[0] == stop), true, "65535 quanta for priority 3");
        NS_TEST_EXPECT_MSG_EQ((m_frames[1] == goOn), true, "0 quanta for priority 3");
        ExpectSent(B, {{0, 'c'}, {1000, 'c'}});
    }
};

/**
 * @ingroup aidc-test
 * @brief PAUSE frames on the wire: IEEE 802.3, Annex 31B.
 */
class PauseWireTestCase : public PfcTestCase
{
  public:
    PauseWireTestCase()
        : PfcTestCase("Annex 31B: a PAUSE frame on the wire stops all")
    {
    }

  private:
    void DoRun() override
    {
        m_pfc.SetAttribute("Mode", StringValue("Pause"));
        m_pfc.SetAttribute("PauseQuanta", UintegerValue(0x1234));
        Build();
        SetXoff(0, B, 3, true);
        SetXoff(10000, B, 3, false);
        Send(2000, A, 3, 1);
        Send(2000, A, 0, 1);
        Run();
        NS_TEST_ASSERT_MSG_EQ(m_frames.size(), 2, "one to stop and one to go on");
        const Bytes payload{0x88, 0x08, 0x00, 0x01, 0x12, 0x34, 0x00};
        NS_TEST_EXPECT_MSG_EQ(
            (Bytes(m_frames[0].begin() + 12, m_frames[0].begin() + 19) == payload),
            true,
            "PAUSE with 0x1234 quanta");
        NS_TEST_EXPECT_MSG_EQ(m_frames[1][16] + m_frames[1][17], 0, "PAUSE with 0 quanta");
        // The second frame arrives at 10,000 + 84 + 1000.
        ExpectSent(A, {{11084, '3'}, {11084 + 1538, '0'}});
        NS_TEST_EXPECT_MSG_EQ(m_controls[B]->GetStatistics().sentPause, 2, "sent");
        NS_TEST_EXPECT_MSG_EQ(m_controls[A]->GetStatistics().receivedPause, 2, "received");
    }
};

/**
 * @ingroup aidc-test
 * @brief A pause stops its class alone, lets a frame that is being sent be finished, and ends when
 *        its quanta have passed.
 *
 * 100 quanta are 6400 ns.
 */
class ExpiryTestCase : public PfcTestCase
{
  public:
    ExpiryTestCase()
        : PfcTestCase("A pause stops its class alone, until its quanta have passed")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        Send(0, A, 3, 3);
        Inject(100, A, Pfc3(100));
        Run();
        ExpectSent(A, {{0, '3'}, {6500, '3'}, {8038, '3'}});
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).paused, NanoSeconds(6400), "its duration is counted");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).receivedXoff, 1, "the frame is counted");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).receivedXon, 0, "nothing else was received");
        DoTeardown();

        Build();
        Send(0, A, 3, 3);
        Send(0, A, 0, 5);
        Inject(100, A, Pfc3(100));
        Run();
        ExpectSent(A,
                   {{0, '3'},
                    {1538, '0'},
                    {3076, '0'},
                    {4614, '0'},
                    {6152, '0'},
                    {7690, '3'},
                    {9228, '3'},
                    {10766, '0'}});
    }
};

/**
 * @ingroup aidc-test
 * @brief A frame with 0 quanta ends a pause, a later frame replaces the quanta of an earlier one.
 */
class XonTestCase : public PfcTestCase
{
  public:
    XonTestCase()
        : PfcTestCase("A frame with 0 quanta ends a pause, another one replaces it")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        Send(0, A, 3, 2);
        Inject(100, A, Pfc3(65535));
        Inject(3000, A, Pfc3(0));
        Run();
        ExpectSent(A, {{0, '3'}, {3000, '3'}});
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).receivedXon, 1, "the frame is counted");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).paused, NanoSeconds(2900), "the pause is over");
        DoTeardown();

        Build();
        Send(0, A, 3, 2);
        Inject(100, A, Pfc3(65535));
        Inject(3000, A, Pfc3(10)); // 640 ns
        Run();
        ExpectSent(A, {{0, '3'}, {3640, '3'}});
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).pauses, 1, "it is one pause");
    }
};

/**
 * @ingroup aidc-test
 * @brief PAUSE stops all classes.
 */
class PauseAllTestCase : public PfcTestCase
{
  public:
    PauseAllTestCase()
        : PfcTestCase("PAUSE stops all classes")
    {
    }

  private:
    void DoRun() override
    {
        m_pfc.SetAttribute("Priorities", UintegerValue(0)); // they are those of PFC
        Build();
        Send(0, A, 3, 2);
        Send(0, A, 0, 1);
        Inject(100, A, {0x88, 0x08, 0x00, 0x01, 0x00, 100});
        Run();
        ExpectSent(A, {{0, '3'}, {6500, '3'}, {8038, '0'}});
    }
};

/**
 * @ingroup aidc-test
 * @brief XOFF is repeated before its quanta expire, for as long as need be.
 *
 * 100 quanta are 6400 ns, of which the half is 3200 ns: from 0 to 20,000 ns there are 7 frames, of
 * which the first arrives at 84 + 1000 ns.
 */
class RefreshTestCase : public PfcTestCase
{
  public:
    RefreshTestCase()
        : PfcTestCase("XOFF is repeated until XON")
    {
    }

  private:
    void DoRun() override
    {
        m_pfc.SetAttribute("PauseQuanta", UintegerValue(100));
        Build();
        SetXoff(0, B, 3, true);
        SetXoff(20000, B, 3, false);
        Send(2000, A, 3, 1);
        Run();
        ExpectSent(B,
                   {{0, 'c'},
                    {3200, 'c'},
                    {6400, 'c'},
                    {9600, 'c'},
                    {12800, 'c'},
                    {16000, 'c'},
                    {19200, 'c'},
                    {20000, 'c'}});
        ExpectSent(A, {{21084, '3'}});
        NS_TEST_EXPECT_MSG_EQ(GetCounters(B).sentXoff, 7, "sent to stop");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(B).sentXon, 1, "sent to go on");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).receivedXoff, 7, "all are received");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).receivedXon, 1, "this one, too");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).pauses, 1, "it is one pause");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).paused, NanoSeconds(20000), "of 20 us");
    }
};

/**
 * @ingroup aidc-test
 * @brief MAC control goes ahead of all that waits, even in a port that is stopped itself.
 */
class AheadTestCase : public PfcTestCase
{
  public:
    AheadTestCase()
        : PfcTestCase("MAC control goes ahead of all that waits")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        Send(0, B, 7, 4);
        SetXoff(2000, B, 3, true);
        Run();
        ExpectSent(B, {{0, '7'}, {1538, '7'}, {3076, 'c'}, {3160, '7'}, {4698, '7'}});
        DoTeardown();

        Build();
        Send(0, B, 3, 2);
        Inject(100, B, {0x88, 0x08, 0x00, 0x01, 0x00, 100});
        SetXoff(2000, B, 3, true);
        Run();
        ExpectSent(B, {{0, '3'}, {2000, 'c'}, {6500, '3'}});
    }
};

/**
 * @ingroup aidc-test
 * @brief A frame says what holds when it is sent.
 */
class CurrentStateTestCase : public PfcTestCase
{
  public:
    CurrentStateTestCase()
        : PfcTestCase("A frame says what holds when it is sent")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        Send(0, B, 0, 2);
        SetXoff(100, B, 3, true);
        SetXoff(200, B, 3, false);
        Run();
        ExpectSent(B, {{0, '0'}, {1538, '0'}}); // it has been revoked
        DoTeardown();

        Build();
        Send(0, B, 0, 2);
        SetXoff(100, B, 3, true);
        SetXoff(200, B, 4, true);
        SetXoff(3500, B, 4, false);
        Run();
        ExpectSent(B, {{0, '0'}, {1538, 'c'}, {1622, '0'}, {3500, 'c'}});
        NS_TEST_ASSERT_MSG_EQ(m_frames.size(), 2, "one frame for both, and one more");
        NS_TEST_EXPECT_MSG_EQ(m_frames[0][17], 0x18, "priorities 3 and 4");
        NS_TEST_EXPECT_MSG_EQ(m_frames[1][17], 0x18, "priority 3 is repeated");
        NS_TEST_EXPECT_MSG_EQ(m_frames[1][24], 0xff, "which is still to stop");
        NS_TEST_EXPECT_MSG_EQ(m_frames[1][26], 0, "and 4 may go on");
    }
};

/**
 * @ingroup aidc-test
 * @brief Frames that are broken, of unknown kind, for others or tagged change nothing.
 */
class DiscardTestCase : public PfcTestCase
{
  public:
    DiscardTestCase()
        : PfcTestCase("Frames that cannot be understood change nothing")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        Send(0, A, 3, 2);
        const Bytes group{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
        Inject(10, A, Pfc3(100), group, 14 + 19);                 // the times are cut
        Inject(20, A, {0x88, 0x08, 0x01}, group, 15);             // the opcode is cut
        Inject(30, A, {0x88, 0x08, 0x01, 0x02, 0x00, 0x08});      // no such opcode
        Inject(40, A, Pfc3(100), {0x01, 0x80, 0xc2, 0, 0, 0x02}); // another group
        Inject(50, A, Pfc3(100), {0x02, 0, 0, 0, 0, 0x55});       // another station
        Inject(60, A, {0x81, 0x00, 0x00, 0x00, 0x88, 0x08, 0x01, 0x01, 0x00, 0xff, 0xff, 0xff});
        // Not broken, but it stops nobody: the vector is empty.
        Inject(70, A, {0x88, 0x08, 0x01, 0x01, 0xff, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
        Run();
        ExpectSent(A, {{0, '3'}, {1538, '3'}});
        const auto& statistics = m_controls[A]->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.unknown, 1, "no such opcode");
        NS_TEST_EXPECT_MSG_EQ(m_devices[A]->GetStatistics().inErrors, 2, "cut");
        NS_TEST_EXPECT_MSG_EQ(m_devices[A]->GetStatistics().inDiscards, 4, "the next four");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).receivedXoff, 0, "nothing that stops");
        DoTeardown();

        // To the station's own address it is understood.
        Build();
        m_devices[A]->SetAddress(Mac48Address("02:00:00:00:00:0a"));
        Send(0, A, 3, 2);
        Inject(100, A, Pfc3(100), {0x02, 0x00, 0x00, 0x00, 0x00, 0x0a});
        Run();
        ExpectSent(A, {{0, '3'}, {6500, '3'}});
        DoTeardown();

        // A priority that is not among those that are obeyed.
        m_pfc.SetAttribute("Priorities", UintegerValue(0xf7));
        Build();
        Send(0, A, 3, 2);
        Inject(100, A, Pfc3(100));
        Run();
        ExpectSent(A, {{0, '3'}, {1538, '3'}});
    }
};

/**
 * @ingroup aidc-test
 * @brief A port obeys after its response time.
 */
class ResponseTestCase : public PfcTestCase
{
  public:
    ResponseTestCase()
        : PfcTestCase("A port obeys after its response time")
    {
    }

  private:
    void DoRun() override
    {
        m_pfc.SetAttribute("ResponseTime", TimeValue(NanoSeconds(2000)));
        Build();
        Send(0, A, 3, 4);
        Inject(100, A, Pfc3(100)); // from 2100 to 8500
        Run();
        ExpectSent(A, {{0, '3'}, {1538, '3'}, {8500, '3'}, {10038, '3'}});
    }
};

/**
 * @ingroup aidc-test
 * @brief A link that goes down takes the pauses with it; XOFF is told again when it comes up.
 */
class LinkTestCase : public PfcTestCase
{
  public:
    LinkTestCase()
        : PfcTestCase("A link that goes down takes the pauses with it")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        SetXoff(0, B, 3, true);
        const auto channel = DynamicCast<EthernetChannel>(m_devices[A]->GetChannel());
        Simulator::Schedule(MicroSeconds(5), &EthernetChannel::Fail, channel);
        Simulator::Schedule(MicroSeconds(10), [this] {
            NS_TEST_EXPECT_MSG_EQ(m_controls[A]->IsPaused(3), false, "not while the link is down");
        });
        Simulator::Schedule(MicroSeconds(20), &EthernetChannel::Restore, channel);
        SetXoff(40000, B, 3, false);
        Send(30000, A, 3, 1);
        Run();
        ExpectSent(B, {{0, 'c'}, {20000, 'c'}, {40000, 'c'}});
        ExpectSent(A, {{41084, '3'}});
    }
};

/**
 * @ingroup aidc-test
 * @brief The watchdog ends a storm of pauses, reports it, and obeys again when it is over.
 *
 * B stops A for ever: A is stopped from 1084 ns on. A class that has packets and sends none for 10
 * us is in a storm. B lets A go on at 50 us, which arrives at 51,084 ns; 20 us later the storm is
 * over. At 80 us B stops A again, for 5 us.
 */
class WatchdogTestCase : public PfcTestCase
{
  public:
    /**
     * @brief Constructor.
     * @param action what the watchdog does
     * @param sent what A sends then
     * @param dropped what A drops
     */
    WatchdogTestCase(const std::string& action, SentList sent, uint32_t dropped)
        : PfcTestCase("The watchdog ends a storm of pauses, action " + action),
          m_action(action),
          m_expected(std::move(sent)),
          m_dropped(dropped)
    {
    }

  private:
    void DoRun() override
    {
        m_pfc.SetAttribute("DetectionTime", TimeValue(MicroSeconds(10)));
        m_pfc.SetAttribute("RestorationTime", TimeValue(MicroSeconds(20)));
        m_pfc.SetAttribute("WatchdogAction", StringValue(m_action));
        Build();
        m_controls[A]->TraceConnectWithoutContext(
            "Watchdog",
            MakeCallback(&WatchdogTestCase::NotifyWatchdog, this));
        Send(1100, A, 3, 2); // both wait: the class is stopped
        Send(15000, A, 3, 1);
        SetXoff(0, B, 3, true);
        SetXoff(50000, B, 3, false);
        SetXoff(80000, B, 3, true);
        Send(82000, A, 3, 1);
        SetXoff(85000, B, 3, false);
        Run();
        ExpectSent(A, m_expected);
        // A was empty when it was stopped: the first look is at 11,084, when packets wait that did
        // not at 1084; the second at 21,084.
        NS_TEST_EXPECT_MSG_EQ(m_log, "storm 3 at 21084, restored 3 at 71084, ", "reported");
        NS_TEST_EXPECT_MSG_EQ(GetCounters(A).storms, 1, "counted");
        NS_TEST_EXPECT_MSG_EQ(m_devices[A]->GetQueueDisc()->GetStats().nTotalDroppedPackets,
                              m_dropped,
                              "dropped");
    }

    /**
     * @brief Note what the watchdog reports.
     * @param priority the priority
     * @param event what it has found
     */
    void NotifyWatchdog(uint32_t priority, PauseWatchdogEvent event)
    {
        m_log += (event == PauseWatchdogEvent::STORM ? "storm " : "restored ") +
                 std::to_string(priority) + " at " +
                 std::to_string(Simulator::Now().GetNanoSeconds()) + ", ";
    }

    std::string m_action; ///< what the watchdog does
    SentList m_expected;  ///< what A sends then
    uint32_t m_dropped;   ///< what A drops
    std::string m_log;    ///< what was reported
};

/**
 * @ingroup aidc-test
 * @brief Impossible configurations end with what was expected.
 */
class HelperDeathTestCase : public PfcTestCase
{
  public:
    HelperDeathTestCase()
        : PfcTestCase("Impossible configurations end with a message")
    {
    }

  private:
    void DoRun() override
    {
        const auto priority = RunInChild([this] { m_pfc.SetPriorities({3, 8}); });
        NS_TEST_EXPECT_MSG_EQ(priority.Says("expected priorities from 0 to 7, found 8"),
                              true,
                              priority.errors);
        Build();
        const auto notSwitch = RunInChild([this] { m_pfc.InstallSwitches(m_nodes); });
        NS_TEST_EXPECT_MSG_EQ(notSwitch.Says("is no switch with a SharedBuffer"),
                              true,
                              notSwitch.errors);
        const auto twice = RunInChild([this] { m_pfc.InstallHosts(m_nodes); });
        NS_TEST_EXPECT_MSG_EQ(twice.Says("The port has MAC control already"), true, twice.errors);
        const auto noStack = RunInChild([this] {
            NodeContainer nodes;
            nodes.Create(2);
            EthernetHelper().Install(nodes);
            m_pfc.InstallHosts(nodes);
        });
        NS_TEST_EXPECT_MSG_EQ(noStack.Says("install an Internet stack on node"),
                              true,
                              noStack.errors);
        const auto classes = RunInChild([this] {
            NodeContainer nodes;
            nodes.Create(2);
            EthernetHelper().Install(nodes);
            InternetStackHelper().Install(nodes);
            SharedBufferSwitchHelper switches;
            switches.SetNClasses(3);
            switches.Install(nodes);
            m_pfc.InstallSwitches(nodes);
        });
        NS_TEST_EXPECT_MSG_EQ(classes.Says("has no class 3"), true, classes.errors);
    }
};

/**
 * @ingroup aidc-test
 * @brief PAUSE and priority flow control between two ports.
 */
class AidcPriorityFlowControlTestSuite : public TestSuite
{
  public:
    AidcPriorityFlowControlTestSuite()
        : TestSuite("aidc-priority-flow-control", TestSuite::Type::UNIT)
    {
        AddTestCase(new WireTestCase);
        AddTestCase(new PauseWireTestCase);
        AddTestCase(new ExpiryTestCase);
        AddTestCase(new XonTestCase);
        AddTestCase(new PauseAllTestCase);
        AddTestCase(new RefreshTestCase);
        AddTestCase(new AheadTestCase);
        AddTestCase(new CurrentStateTestCase);
        AddTestCase(new DiscardTestCase);
        AddTestCase(new ResponseTestCase);
        AddTestCase(new LinkTestCase);
        // All are dropped, or sent at 21,084, or wait until 51,084. The last one waits for the
        // second pause to end.
        AddTestCase(new WatchdogTestCase("Drop", {{86084, '3'}}, 3));
        AddTestCase(new WatchdogTestCase("Forward",
                                         {{21084, '3'}, {22622, '3'}, {24160, '3'}, {86084, '3'}},
                                         0));
        AddTestCase(new WatchdogTestCase("Alert",
                                         {{51084, '3'}, {52622, '3'}, {54160, '3'}, {86084, '3'}},
                                         0));
        AddTestCase(new HelperDeathTestCase);
    }
};

/// The instance that registers the suite
const AidcPriorityFlowControlTestSuite g_aidcPriorityFlowControlTestSuite;

} // namespace
