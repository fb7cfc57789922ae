// SPDX-License-Identifier: GPL-2.0-only

#include "paused-hosts.h"
#include "test/test-case.h"

// The watchdog of priority flow control, and what the helper refuses.
AIDC_TEST_SUITE("aidc-pause-watchdog", UNIT);

/// The watchdog ends a storm of pauses, reports it, and obeys again when it is over. B stops A for
/// ever: A is stopped from 8 + 64 + 1000 = 1072 ns on. A class that has packets and sends none for
/// 10 us is in a storm. B lets A go on at 50 us, which arrives at 51,072 ns; 20 us later the storm
/// is over. At 80 us B stops A again, for 5 us.
class WatchdogTestCase : public PausedHostsTestCase
{
  public:
    WatchdogTestCase(const std::string& action, SentList sent, uint32_t dropped)
        : PausedHostsTestCase("The watchdog ends a storm of pauses, action " + action),
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
        ConnectTrace(m_controls[A],
                     "Watchdog",
                     [this](uint32_t priority, PauseWatchdogEvent event) {
                         m_log += (event == PauseWatchdogEvent::STORM ? "storm " : "restored ") +
                                  std::to_string(priority) + " at " +
                                  std::to_string(Simulator::Now().GetNanoSeconds()) + ", ";
                     });
        Send(1100, A, 3, 2); // both wait: the class is stopped
        Send(15000, A, 3, 1);
        SetXoff(0, B, 3, true);
        SetXoff(50000, B, 3, false);
        SetXoff(80000, B, 3, true);
        Send(82000, A, 3, 1);
        SetXoff(85000, B, 3, false);
        Run();
        ExpectSent(A, m_expected);
        // A was empty when it was stopped: the first look is at 11,072, when packets wait that did
        // not at 1072; the second at 21,072.
        NS_TEST_EXPECT_MSG_EQ(m_log, "storm 3 at 21072, restored 3 at 71072, ", "reported");
        NS_TEST_EXPECT_MSG_EQ(GetStatistics(A).storms, 1, "counted");
        NS_TEST_EXPECT_MSG_EQ(m_devices[A]->GetQueueDisc()->GetStats().nTotalDroppedPackets,
                              m_dropped,
                              "dropped");
    }

    std::string m_action; //!< what the watchdog does
    SentList m_expected;  //!< what A sends then
    uint32_t m_dropped;   //!< what A drops
    std::string m_log;    //!< what was reported
};

AIDC_TEST_CASE_F(PausedHostsTestCase, "Impossible configurations end with a message")
{
    ExpectRefusal("expected priorities from 0 to 7, found 8",
                  [this] { m_pfc.SetPriorities({3, 8}); });
    Build();
    ExpectRefusal("is no switch with a SharedBuffer", [this] { m_pfc.InstallSwitches(m_nodes); });
    ExpectRefusal("The port has MAC control already", [this] { m_pfc.InstallHosts(m_nodes); });
    ExpectRefusal("install an Internet stack on node", [this] {
        NodeContainer nodes;
        nodes.Create(2);
        EthernetHelper().Install(nodes);
        m_pfc.InstallHosts(nodes);
    });
    ExpectRefusal("has no class 3", [this] {
        NodeContainer nodes;
        nodes.Create(2);
        EthernetHelper().Install(nodes);
        InternetStackHelper().Install(nodes);
        SharedBufferSwitchHelper switches;
        switches.SetNClasses(3);
        switches.Install(nodes);
        m_pfc.InstallSwitches(nodes);
    });
}

AIDC_ADD_TEST_CASES()
{
    // All are dropped, or sent at 21,072, or wait until 51,072. The last one waits for the
    // second pause to end.
    AddTestCase(new WatchdogTestCase("Drop", {{86072, '3'}}, 3));
    AddTestCase(new WatchdogTestCase("Forward",
                                     {{21072, '3'}, {22610, '3'}, {24148, '3'}, {86072, '3'}},
                                     0));
    AddTestCase(
        new WatchdogTestCase("Alert", {{51072, '3'}, {52610, '3'}, {54148, '3'}, {86072, '3'}}, 0));
}
