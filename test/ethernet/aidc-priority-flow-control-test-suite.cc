// SPDX-License-Identifier: GPL-2.0-only

#include "paused-hosts.h"
#include "test/test-case.h"

// PAUSE and PFC frames that a port sends, and when they act.
AIDC_TEST_SUITE("aidc-priority-flow-control", UNIT);

// PFC frames on the wire: IEEE 802.3, Annex 31D.
AIDC_TEST_CASE_F(PausedHostsTestCase, "Annex 31D: a PFC frame on the wire")
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
    AIDC_EXPECT(m_frames[0] == stop, "65535 quanta for priority 3");
    AIDC_EXPECT(m_frames[1] == goOn, "0 quanta for priority 3");
    ExpectSent(B, {{0, 'c'}, {1000, 'c'}});
}

// PAUSE frames on the wire: IEEE 802.3, Annex 31B.
AIDC_TEST_CASE_F(PausedHostsTestCase, "Annex 31B: a PAUSE frame on the wire stops all")
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
    AIDC_EXPECT(Bytes(m_frames[0].begin() + 12, m_frames[0].begin() + 19) == payload,
                "PAUSE with 0x1234 quanta");
    NS_TEST_EXPECT_MSG_EQ(m_frames[1][16] + m_frames[1][17], 0, "PAUSE with 0 quanta");
    // The second frame arrives at 10,000 + 8 + 64 + 1000.
    ExpectSent(A, {{11072, '3'}, {11072 + 1538, '0'}});
    NS_TEST_EXPECT_MSG_EQ(m_controls[B]->GetStatistics().sentPause, 2, "sent");
    NS_TEST_EXPECT_MSG_EQ(m_controls[A]->GetStatistics().receivedPause, 2, "received");
}

// XOFF is repeated before its quanta expire, for as long as need be. 100 quanta are 6400 ns, of
// which the half is 3200 ns: from 0 to 20,000 ns there are 7 frames, of which the first arrives at
// 8 + 64 + 1000 ns.
AIDC_TEST_CASE_F(PausedHostsTestCase, "XOFF is repeated until XON")
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
    ExpectSent(A, {{21072, '3'}});
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(B).sentXoff, 7, "sent to stop");
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(B).sentXon, 1, "sent to go on");
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXoff, 7, "all are received");
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXon, 1, "this one, too");
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).pauses, 1, "it is one pause");
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).paused, NanoSeconds(20000), "of 20 us");
}

// MAC control goes ahead of all that waits, even in a port that is stopped itself.
AIDC_TEST_CASE_F(PausedHostsTestCase, "MAC control goes ahead of all that waits")
{
    Build();
    Send(0, B, 7, 4);
    SetXoff(2000, B, 3, true);
    Run();
    ExpectSent(B, {{0, '7'}, {1538, '7'}, {3076, 'c'}, {3160, '7'}, {4698, '7'}});
    DoTeardown();

    Build();
    Send(0, B, 3, 2);
    Inject(100, B, Pfc3(100));
    SetXoff(2000, B, 3, true);
    Run();
    ExpectSent(B, {{0, '3'}, {2000, 'c'}, {6500, '3'}});
}

AIDC_TEST_CASE_F(PausedHostsTestCase, "A frame says what holds when it is sent")
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
