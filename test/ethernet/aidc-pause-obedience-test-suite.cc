// SPDX-License-Identifier: GPL-2.0-only

#include "paused-hosts.h"
#include "test/test-case.h"

#include "ns3/ethernet-channel.h"

// What a port does that receives PAUSE or PFC frames.
AIDC_TEST_SUITE("aidc-pause-obedience", UNIT);

// A pause stops its class alone, lets a frame that is being sent be finished, and ends when its
// quanta have passed. 100 quanta are 6400 ns.
AIDC_TEST_CASE_F(PausedHostsTestCase, "A pause stops its class alone, until its quanta have passed")
{
    Build();
    Send(0, A, 3, 3);
    Inject(100, A, Pfc3(100));
    Run();
    ExpectSent(A, {{0, '3'}, {6500, '3'}, {8038, '3'}});
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).paused, NanoSeconds(6400), "its duration is counted");
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

// A frame with 0 quanta ends a pause, a later frame replaces the quanta of an earlier one.
AIDC_TEST_CASE_F(PausedHostsTestCase, "A frame with 0 quanta ends a pause, another one replaces it")
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

AIDC_TEST_CASE_F(PausedHostsTestCase, "PAUSE stops all classes")
{
    m_pfc.SetAttribute("Mode", StringValue("Pause"));
    m_pfc.SetAttribute("Priorities", UintegerValue(0)); // which are for PFC only
    Build();
    Send(0, A, 3, 2);
    Send(0, A, 0, 1);
    Inject(100, A, {0x88, 0x08, 0x00, 0x01, 0x00, 100});
    Run();
    ExpectSent(A, {{0, '3'}, {6500, '3'}, {8038, '0'}});
}

// Frames that are broken, of unknown kind, for others or tagged change nothing.
AIDC_TEST_CASE_F(PausedHostsTestCase, "Frames that cannot be understood change nothing")
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

    // A priority that the port does not obey.
    m_pfc.SetAttribute("Priorities", UintegerValue(0xf7));
    Build();
    Send(0, A, 3, 2);
    Inject(100, A, Pfc3(100));
    Run();
    ExpectSent(A, {{0, '3'}, {1538, '3'}});
}

// A link has PFC or PAUSE, never both (IEEE 802.1Q, clause 36): a port counts the frames of the
// other kind, and does not obey them.
AIDC_TEST_CASE_F(PausedHostsTestCase, "Clause 36: PFC ignores PAUSE, and PAUSE ignores PFC")
{
    const Bytes pause{0x88, 0x08, 0x00, 0x01, 0x00, 100};
    for (const bool isPfc : {true, false})
    {
        m_pfc.SetAttribute("Mode", StringValue(isPfc ? "Pfc" : "Pause"));
        Build();
        Send(0, A, 3, 2);
        Inject(100, A, isPfc ? pause : Pfc3(100));
        Run();
        ExpectSent(A, {{0, '3'}, {1538, '3'}});
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).pauses, 0, "nothing is stopped");
        NS_TEST_EXPECT_MSG_EQ(m_controls[A]->GetStatistics().receivedPause,
                              (isPfc ? 1 : 0),
                              "PAUSE is counted");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).receivedXoff, (isPfc ? 0 : 1), "so is PFC");
        DoTeardown();
    }
}

// Ports have PFC for the lossless priorities only: a frame for another one stops nothing.
AIDC_TEST_CASE_F(PausedHostsTestCase, "The helper enables the lossless priorities only")
{
    m_pfc.SetPriorities({3, 4});
    Build();
    Send(0, A, 5, 2);
    Inject(100, A, {0x88, 0x08, 0x01, 0x01, 0x00, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100});
    Run();
    ExpectSent(A, {{0, '5'}, {1538, '5'}});
    UintegerValue enabled;
    m_controls[A]->GetAttribute("Priorities", enabled);
    NS_TEST_EXPECT_MSG_EQ(enabled.Get(), 0x18, "3 and 4");
}

// A port stops after its response time; the quanta count from the frame's reception (IEEE 802.3,
// Annex 31B.3).
AIDC_TEST_CASE_F(PausedHostsTestCase, "A port obeys after its response time")
{
    m_pfc.SetAttribute("ResponseTime", TimeValue(NanoSeconds(2000)));
    Build();
    Send(0, A, 3, 4);
    Inject(100, A, Pfc3(100)); // from 2100 to 6500
    Run();
    ExpectSent(A, {{0, '3'}, {1538, '3'}, {6500, '3'}, {8038, '3'}});
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).paused, NanoSeconds(4400), "that long");
    DoTeardown();

    // A repetition extends the pause that is there, and does not interrupt it.
    Build();
    Send(0, A, 3, 4);
    Inject(100, A, Pfc3(100));
    Inject(5000, A, Pfc3(100)); // until 11,400
    Run();
    ExpectSent(A, {{0, '3'}, {1538, '3'}, {11400, '3'}, {12938, '3'}});
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).pauses, 1, "it is one pause");
    DoTeardown();

    // 31 quanta are 1984 ns, which are over before the response, and so is what XON revokes.
    for (const bool isRevoked : {false, true})
    {
        Build();
        Send(0, A, 3, 4);
        Inject(100, A, Pfc3(isRevoked ? 100 : 31));
        if (isRevoked)
        {
            Inject(1000, A, Pfc3(0));
        }
        Run();
        ExpectSent(A, {{0, '3'}, {1538, '3'}, {3076, '3'}, {4614, '3'}});
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).pauses, 0, "no pause");
        DoTeardown();
    }
}

// A link that goes down takes the pauses with it; XOFF is told again when it comes up. XON is sent
// at 40,000 ns and arrives 8 + 64 + 1,000 ns later.
AIDC_TEST_CASE_F(PausedHostsTestCase, "A link that goes down takes the pauses with it")
{
    Build();
    SetXoff(0, B, 3, true);
    const auto channel = DynamicCast<EthernetChannel>(m_devices[A]->GetChannel());
    Simulator::Schedule(MicroSeconds(5), &EthernetChannel::Fail, channel);
    Simulator::Schedule(MicroSeconds(10), [this] {
        AIDC_EXPECT(!m_controls[A]->IsPaused(3), "not while the link is down");
    });
    Simulator::Schedule(MicroSeconds(20), &EthernetChannel::Restore, channel);
    SetXoff(40000, B, 3, false);
    Send(30000, A, 3, 1);
    Run();
    ExpectSent(B, {{0, 'c'}, {20000, 'c'}, {40000, 'c'}});
    ExpectSent(A, {{41072, '3'}});
}

// A link that goes down and comes up between a frame's reception and the end of the response time
// cancels the pause, too.
AIDC_TEST_CASE_F(PausedHostsTestCase, "A link flap cancels a pause that has not begun yet")
{
    m_pfc.SetAttribute("ResponseTime", TimeValue(NanoSeconds(2000)));
    Build();
    Inject(100, A, Pfc3(65535));
    const auto channel = DynamicCast<EthernetChannel>(m_devices[A]->GetChannel());
    Simulator::Schedule(NanoSeconds(500), &EthernetChannel::Fail, channel);
    Simulator::Schedule(NanoSeconds(1000), &EthernetChannel::Restore, channel);
    Send(3000, A, 3, 1);
    Run();
    ExpectSent(A, {{3000, '3'}});
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).pauses, 0, "no pause");
}

// A link between MPI processes carries frames as bytes: MAC control frames stop the other process's
// port as in one process.
AIDC_TEST_CASE_F(PausedHostsTestCase, "PFC frames from another process are obeyed")
{
    Build();
    SetXoff(0, B, 3, true);
    SetXoff(1000, B, 3, false);
    Run();
    const auto frames = m_frames;
    NS_TEST_ASSERT_MSG_EQ(frames.size(), 2, "one to stop and one to go on");
    DoTeardown();

    Build();
    Send(0, A, 3, 2);
    Send(0, A, 0, 1);
    for (std::size_t i = 0; i < frames.size(); ++i)
    {
        const auto size = static_cast<uint32_t>(frames[i].size());
        Simulator::Schedule(NanoSeconds(i == 0 ? 100 : 5000), [this, &frames, i, size] {
            m_devices[A]->Receive(Create<Packet>(frames[i].data(), size),
                                  m_devices[A]->GetLinkEpoch());
        });
    }
    Run();
    ExpectSent(A, {{0, '3'}, {1538, '0'}, {5000, '3'}});
    NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).paused, NanoSeconds(4900), "from one to the other");
}
