/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paused-hosts.h"

#include "ns3/ethernet-channel.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @ingroup aidc-test
 * @brief PFC frames on the wire: IEEE 802.3, Annex 31D.
 */
class WireTestCase : public PausedHostsTestCase
{
  public:
    WireTestCase()
        : PausedHostsTestCase("Annex 31D: a PFC frame on the wire")
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
class PauseWireTestCase : public PausedHostsTestCase
{
  public:
    PauseWireTestCase()
        : PausedHostsTestCase("Annex 31B: a PAUSE frame on the wire stops all")
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
class ExpiryTestCase : public PausedHostsTestCase
{
  public:
    ExpiryTestCase()
        : PausedHostsTestCase("A pause stops its class alone, until its quanta have passed")
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
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).paused,
                              NanoSeconds(6400),
                              "its duration is counted");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXoff, 1, "the frame is counted");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXon, 0, "nothing else was received");
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
class XonTestCase : public PausedHostsTestCase
{
  public:
    XonTestCase()
        : PausedHostsTestCase("A frame with 0 quanta ends a pause, another one replaces it")
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
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXon, 1, "the frame is counted");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).paused, NanoSeconds(2900), "the pause is over");
        DoTeardown();

        Build();
        Send(0, A, 3, 2);
        Inject(100, A, Pfc3(65535));
        Inject(3000, A, Pfc3(10)); // 640 ns
        Run();
        ExpectSent(A, {{0, '3'}, {3640, '3'}});
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).pauses, 1, "it is one pause");
    }
};

/**
 * @ingroup aidc-test
 * @brief PAUSE stops all classes.
 */
class PauseAllTestCase : public PausedHostsTestCase
{
  public:
    PauseAllTestCase()
        : PausedHostsTestCase("PAUSE stops all classes")
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
class RefreshTestCase : public PausedHostsTestCase
{
  public:
    RefreshTestCase()
        : PausedHostsTestCase("XOFF is repeated until XON")
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
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(B).sentXoff, 7, "sent to stop");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(B).sentXon, 1, "sent to go on");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXoff, 7, "all are received");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXon, 1, "this one, too");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).pauses, 1, "it is one pause");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).paused, NanoSeconds(20000), "of 20 us");
    }
};

/**
 * @ingroup aidc-test
 * @brief MAC control goes ahead of all that waits, even in a port that is stopped itself.
 */
class AheadTestCase : public PausedHostsTestCase
{
  public:
    AheadTestCase()
        : PausedHostsTestCase("MAC control goes ahead of all that waits")
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
class CurrentStateTestCase : public PausedHostsTestCase
{
  public:
    CurrentStateTestCase()
        : PausedHostsTestCase("A frame says what holds when it is sent")
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
class DiscardTestCase : public PausedHostsTestCase
{
  public:
    DiscardTestCase()
        : PausedHostsTestCase("Frames that cannot be understood change nothing")
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
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXoff, 0, "nothing that stops");
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
class ResponseTestCase : public PausedHostsTestCase
{
  public:
    ResponseTestCase()
        : PausedHostsTestCase("A port obeys after its response time")
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
class LinkTestCase : public PausedHostsTestCase
{
  public:
    LinkTestCase()
        : PausedHostsTestCase("A link that goes down takes the pauses with it")
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
    }
};

/// The instance that registers the suite
const AidcPriorityFlowControlTestSuite g_aidcPriorityFlowControlTestSuite;

} // namespace
