// SPDX-License-Identifier: GPL-2.0-only

#include "test/buffer/switch-port-bench.h"
#include "test/buffer/test-buffers.h"
#include "test/test-case.h"

#include "ns3/ingress-buffer.h"

// The coupled ECN threshold in lossless classes.
AIDC_TEST_SUITE("aidc-coupled-ecn-pause", UNIT);

/// The lossless class.
constexpr uint32_t PRIORITY = 1;

/// A switch with 1 MB beside the headrooms of its ingress ports, and two egress ports.
class LosslessSwitch
{
  public:
    LosslessSwitch(uint32_t nPorts,
                   const Attributes& attributes,
                   const std::string& alpha,
                   const Attributes& account)
    {
        m_buffer = MakeBuffer(1000000 + nPorts * 10000);
        for (uint32_t i = 0; i < nPorts; ++i)
        {
            const auto ingress = CreateObject<IngressBuffer>();
            SetAll(ingress, account);
            ConnectTrace(ingress, "Xoff", [this](bool xoff) { m_told += xoff ? "X" : ""; });
            m_buffer->AddIngress(i, PRIORITY, ingress);
        }
        for (int i = 0; i < 2; ++i)
        {
            m_ports.push_back(MakeEgress(attributes, alpha));
        }
        ConnectTrace(GetQueue(), "Mark", [this](Ptr<const QueueDiscItem>, const char*) {
            m_told += 'M';
        });
    }

    /// Fill a queue evenly by some ports, until it has marked and one of them is stopped. Returns
    /// what has come first: M for a mark, X for XOFF.
    char Fill(uint32_t n)
    {
        for (uint32_t i = 0;
             m_told.find('M') == std::string::npos || m_told.find('X') == std::string::npos;
             ++i)
        {
            const auto item = MakeItemOf(PRIORITY, 1000, ECT0);
            item->SetTxQueueIndex(static_cast<uint8_t>(i % n));
            if (!m_ports[0]->Enqueue(item))
            {
                break;
            }
        }
        return m_told.empty() ? '-' : m_told.front();
    }

    Ptr<MarkingQueue> GetQueue() const
    {
        return m_ports[0]->GetClass(PRIORITY)->GetQueue();
    }

  private:
    Ptr<SwitchPortQueueDisc> MakeEgress(const Attributes& attributes, const std::string& alpha)
    {
        auto port = CreateObject<SwitchPortQueueDisc>();
        for (uint32_t i = 0; i <= PRIORITY; ++i)
        {
            const auto qdClass =
                CreateObjectWithAttributes<SwitchPortClass>("Lossless",
                                                            BooleanValue(i == PRIORITY));
            const auto child = CreateObject<CoupledEcnQueueDisc>();
            SetAll(child, {{"Offset", "100kB"}, {"EcnFloor", "1500B"}});
            if (i == PRIORITY)
            {
                SetAll(child, attributes);
                SetAll(child->GetBufferQueue(), {{"Alpha", alpha}});
            }
            qdClass->SetQueue(child);
            port->AddClass(qdClass);
        }
        port->SetSharedBuffer(m_buffer);
        port->SetIngressPortReader(
            [](const QueueDiscItem& item) -> uint32_t { return item.GetTxQueueIndex(); });
        port->Initialize();
        return port;
    }

    Ptr<SharedBuffer> m_buffer;                    //!< the memory
    std::vector<Ptr<SwitchPortQueueDisc>> m_ports; //!< the egress ports
    std::string m_told;                            //!< M for a mark, X for XOFF, in order
    SimulationEnd m_end;                           //!< of this network
};

// Expected results, 1 MB, Offset 100 kB, n ports that fill a queue evenly: it marks from
// (alpha B - Offset) / (1 + alpha) on, and an account is at XOFF from n xoffAlpha B / (1 + n
// xoffAlpha) in the queue on. alpha 1, XoffAlpha 0.125: it marks from 450,000 on; 6 ports are
// stopped at 428,571 and 7 at 466,667. So up to 6 ports are stopped first. alpha 0.125: it marks
// from 22,222 on, and one port is stopped at 111,111: always marks first.
AIDC_TEST_CASE("a lossless queue whose senders are paused before it marks is warned of, with "
               "the number of ports (sections 1 and 7)")
{
    const Attributes account{{"XoffAlpha", "0.125"}, {"Headroom", "10kB"}};
    for (const uint32_t n : {1, 6, 7, 16})
    {
        const CapturedStream errors(std::cerr);
        LosslessSwitch s(16, {}, "1", account);
        NS_TEST_EXPECT_MSG_EQ(s.Fill(n), (n <= 6 ? 'X' : 'M'), n << " ports");
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("pauses before it marks"),
                              1,
                              "once for both egress ports: " << errors.GetText());
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("Alpha 1 and XoffAlpha 0.125"), 1, "both");
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("up to 6 ingress ports fill it; marking "
                                                    "comes first from 7 ports on"),
                              1,
                              errors.GetText());
    }
    {
        const CapturedStream errors(std::cerr);
        LosslessSwitch s(16, {}, "0.125", account);
        NS_TEST_EXPECT_MSG_EQ(s.Fill(1), 'M', "an alpha of XoffAlpha");
        NS_TEST_EXPECT_MSG_EQ(errors.GetText(), "", "an alpha of XoffAlpha");
        s.GetQueue()->SetAttribute("Alpha", StringValue("0.5"));
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("Alpha 0.5 and XoffAlpha 0.125"),
                              1,
                              "changed while running: " << errors.GetText());
    }
    const auto warns = [](const Attributes& attributes, const Attributes& limits) {
        const CapturedStream errors(std::cerr);
        LosslessSwitch s(4, attributes, "1", limits);
        return errors.CountLinesWith("pauses before it marks");
    };
    NS_TEST_EXPECT_MSG_EQ(warns({}, account), 1, "4 ports");
    NS_TEST_EXPECT_MSG_EQ(warns({}, {{"XoffAlpha", "0.125"}}), 0, "nobody is ever paused");
}

/// Fill a queue of a switch with four ingress ports. first: what comes first: M for a mark, X
/// for XOFF. warning: what is warned of, once for both egress ports; empty if nothing.
void
Expect(const Attributes& attributes,
       const std::string& alpha,
       uint32_t n,
       char first,
       const std::string& warning)
{
    const CapturedStream errors(std::cerr);
    LosslessSwitch s(4, attributes, alpha, {{"XoffAlpha", "0.125"}, {"Headroom", "10kB"}});
    NS_TEST_EXPECT_MSG_EQ(s.Fill(n), first, n << " ports: " << errors.GetText());
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("warning"), !warning.empty(), warning);
    NS_TEST_EXPECT_MSG_NE(errors.GetText().find(warning), std::string::npos, warning);
}

// So is one with another threshold than the coupled one.
//
// Expected results, 1 MB, XoffAlpha 0.125: one port is stopped at 0.125 MB / 1.125 = 111,111, two
// at 200,000, three at 272,727, four at 333,333. Thresholds and a Kmin of 111 kB come first, of
// 250 kB from three ports on, and of 400 kB never. A threshold of more than the memory is said to
// mark nothing, and nobody is warned. A RED band marks some packets between Kmin and
// Kmax, all above. With alpha 0.5, half of Buf_Thrd is 0.25 MB (1 - q): 200,000; with alpha 0.125
// and all of Buf_Thrd it is 111,111.
AIDC_TEST_CASE("a lossless queue with a fixed threshold, a RED band or a share of Buf_Thrd is "
               "warned of, too (sections 1 and 7)")
{
    const Attributes low{{"Mode", "StaticStep"}, {"Threshold", "111kB"}};
    const Attributes middle{{"Mode", "StaticStep"}, {"Threshold", "250kB"}};
    const Attributes high{{"Mode", "StaticStep"}, {"Threshold", "400kB"}};
    Expect(low, "1", 1, 'M', "");
    Expect(middle, "1", 2, 'X', "With Threshold 250000B and XoffAlpha 0.125 a lossless queue");
    Expect(middle, "1", 3, 'M', "if up to 2 ingress ports fill it");
    Expect(middle, "1", 3, 'M', "(a Threshold of at most 111111B avoids that)");
    Expect(high, "1", 4, 'X', "whichever of the 4 ingress ports fill it");
    const Attributes never{{"Mode", "StaticStep"}, {"Threshold", "2MB"}};
    Expect(never, "1", 4, 'X', "");
    const auto red = [](const std::string& kmin) {
        return Attributes{{"Mode", "StaticRed"}, {"Kmin", kmin}, {"Kmax", kmin}, {"Pmax", "1"}};
    };
    Expect(red("110kB"), "1", 1, 'M', "");
    Expect(red("250kB"), "1", 2, 'X', "With Kmin 250000B and XoffAlpha 0.125");
    Expect(red("250kB"), "1", 3, 'M', "if up to 2 ingress ports fill it");
    const auto share = [](const std::string& value) {
        return Attributes{{"Mode", "Proportional"}, {"Share", value}};
    };
    Expect(share("0.5"), "0.5", 1, 'X', "With Alpha 0.5 and XoffAlpha 0.125");
    Expect(share("0.5"), "0.5", 3, 'M', "if up to 1 ingress ports fill it");
    Expect(share("1"), "0.125", 2, 'M', "");
}
