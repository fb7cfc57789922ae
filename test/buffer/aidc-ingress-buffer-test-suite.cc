// SPDX-License-Identifier: GPL-2.0-only

#include "test-packets.h"
#include "test/core/catch-message.h"
#include "test/test-case.h"

#include "ns3/codel-queue-disc.h"
#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/ingress-buffer.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-port-queue-disc.h"

// Lossless classes, charged to the ports that their packets came in by.
AIDC_TEST_SUITE("aidc-ingress-buffer", UNIT);

/// The DSCPs of class 0 and class 1, as bytes with an ECN codepoint of 0: class selectors.
constexpr uint8_t LOSSY = 0;
constexpr uint8_t LOSSLESS = 0x20;

/// An IPv4 packet of 1000 bytes that knows by which port it came in.
class ArrivedItem : public Ipv4QueueDiscItem
{
  public:
    ArrivedItem(uint32_t port, uint8_t tos)
        : Ipv4QueueDiscItem(Create<Packet>(980), Address(), ETHERTYPE_IPV4, MakeHeader(tos)),
          m_port(port)
    {
    }

    static uint32_t GetPort(const QueueDiscItem& item)
    {
        return static_cast<const ArrivedItem&>(item).m_port;
    }

  private:
    static Ipv4Header MakeHeader(uint8_t tos)
    {
        Ipv4Header header;
        header.SetTos(tos);
        header.SetPayloadSize(980);
        return header;
    }

    uint32_t m_port; //!< the port
};

/// A switch of 100 kB with one egress port; its class 0 is lossy, its class 1 lossless.
class Switch
{
  public:
    explicit Switch(Ptr<QueueDisc> child = CreateObject<CoupledEcnQueueDisc>())
        : buffer(
              CreateObjectWithAttributes<SharedBuffer>("Size", QueueSizeValue(QueueSize("100kB")))),
          port(CreateObject<SwitchPortQueueDisc>())
    {
        for (const bool isLossless : {false, true})
        {
            const auto qdClass =
                CreateObjectWithAttributes<SwitchPortClass>("Lossless", BooleanValue(isLossless));
            qdClass->SetQueue(isLossless ? child
                                         : Ptr<QueueDisc>(CreateObject<CoupledEcnQueueDisc>()));
            port->AddClass(qdClass);
        }
        port->SetSharedBuffer(buffer);
        port->SetIngressPortReader(&ArrivedItem::GetPort);
        port->Initialize();
    }

    /// Account for a port's priority 1, and note what its peer is told.
    Ptr<IngressBuffer> AddIngress(uint32_t number, const Attributes& limits)
    {
        const auto ingress = CreateObject<IngressBuffer>();
        SetAll(ingress, limits);
        ingress->SetPauseCallback(
            IngressBuffer::PauseCallback([this](bool xoff) { told += xoff ? 'S' : 'G'; }));
        buffer->AddIngress(number, 1, ingress);
        return ingress;
    }

    uint32_t Arrive(uint32_t from, uint8_t tos, uint32_t n)
    {
        uint32_t queued = 0;
        for (uint32_t i = 0; i < n; ++i)
        {
            queued += port->Enqueue(Create<ArrivedItem>(from, tos));
        }
        return queued;
    }

    /// Have packets leave. n: how many, if there are so many.
    uint32_t Leave(uint32_t n)
    {
        uint32_t left = 0;
        while (left < n && port->Dequeue())
        {
            ++left;
        }
        return left;
    }

    Ptr<SharedBuffer> buffer;      //!< the memory
    Ptr<SwitchPortQueueDisc> port; //!< the egress port
    std::string told;              //!< what the peers were told: S to stop, G to go on
};

// A byte is charged once: at the ingress if its class is lossless, else at the egress.
AIDC_TEST_CASE("A byte is charged once")
{
    Switch s;
    const auto ingress = s.AddIngress(3, {});
    s.Arrive(3, LOSSY, 2);
    NS_TEST_EXPECT_MSG_EQ(s.buffer->GetUsed(), 2000, "the lossy class is charged");
    NS_TEST_EXPECT_MSG_EQ(ingress->GetOccupancy(), 0, "the port that brought it is not");
    s.Arrive(3, LOSSLESS, 5);
    NS_TEST_EXPECT_MSG_EQ(s.buffer->GetUsed(), 7000, "all there is");
    NS_TEST_EXPECT_MSG_EQ(ingress->GetOccupancy(), 5000, "what the port brought");
    const auto share = s.port->GetClass(1);
    NS_TEST_EXPECT_MSG_EQ(share->GetBufferQueue()->GetOccupancy(),
                          5000,
                          "the queue's occupancy is seen by its marking");
    s.Leave(7);
    NS_TEST_EXPECT_MSG_EQ(s.buffer->GetUsed(), 0, "all that was admitted is released");
    NS_TEST_EXPECT_MSG_EQ(ingress->GetOccupancy(), 0, "likewise");
}

// 100 kB, 10 kB of them the headroom of each of two ports: 80 kB shared. With alpha 1 one lossy
// queue would end at 40 kB. Two ports with alpha 1 settle at 80/3 = 26.7 kB: the first that comes
// alone is stopped at 40 kB, the second at 20 kB; each has its headroom beyond that. So the queue
// takes 40 + 20 + 2 * 10 packets of 1 kB.
AIDC_TEST_CASE("A lossless class is limited by its ingress ports alone")
{
    Switch s;
    const auto first = s.AddIngress(0, {{"Headroom", "10kB"}, {"XonOffset", "2kB"}});
    const auto second = s.AddIngress(1, {{"Headroom", "10kB"}, {"XonOffset", "2kB"}});
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(0, LOSSLESS, 39), 39, "below XOFF");
    NS_TEST_EXPECT_MSG_EQ(s.told, "", "nobody is told to stop");
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(0, LOSSLESS, 1), 1, "up to XOFF");
    NS_TEST_EXPECT_MSG_EQ(s.told, "S", "told to stop at 40 kB of 40 kB");
    AIDC_EXPECT(first->IsXoff(), "the first port is stopped");
    AIDC_EXPECT(!second->IsXoff(), "the second is not");
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(0, LOSSLESS, 11), 10, "the headroom takes 10");
    NS_TEST_EXPECT_MSG_EQ(first->GetRefused(), 1, "and refuses what is more");
    NS_TEST_EXPECT_MSG_EQ(first->GetHeadroomPeak(), 10000, "the whole headroom was used");
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(1, LOSSLESS, 31), 30, "the second port: 20 and 10");
    NS_TEST_EXPECT_MSG_EQ(s.told, "SS", "the second peer was told, too");
    NS_TEST_EXPECT_MSG_EQ(s.buffer->GetUsed(), 80000, "all of that is there");
    auto reasons = s.port->GetStats().nDroppedPacketsBeforeEnqueue;
    NS_TEST_EXPECT_MSG_EQ(reasons[IngressBuffer::INGRESS_DROP], 2, "the drops have a reason");

    // The first port's packets leave first: 10 give the headroom back, and with each one more
    // its XON = free - 2 rises: 20 + n - 2 >= 40 - n for n = 11.
    s.Leave(20);
    NS_TEST_EXPECT_MSG_EQ(s.told, "SS", "not yet");
    s.Leave(1);
    NS_TEST_EXPECT_MSG_EQ(s.told, "SSG", "the first peer may go on");
    AIDC_EXPECT(!first->IsXoff(), "it is not stopped any more");
    s.Leave(59);
    NS_TEST_EXPECT_MSG_EQ(s.told, "SSGG", "the second peer, too");
    NS_TEST_EXPECT_MSG_EQ(s.buffer->GetUsed(), 0, "all that was admitted is released");
}

// 100 kB shared, alpha 1: 50 kB.
AIDC_TEST_CASE("What no port has brought shares one account")
{
    Switch s;
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(SharedBuffer::NO_PORT, LOSSLESS, 30), 30, "its own");
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(7, LOSSLESS, 30), 20, "and those of a port without one");
    const auto other = s.buffer->GetIngress(SharedBuffer::NO_PORT, 1);
    NS_TEST_EXPECT_MSG_EQ(s.buffer->GetIngress(7, 1), other, "one account");
    NS_TEST_EXPECT_MSG_EQ(other->GetOccupancy(), 50000, "which has it all");
    s.Leave(50);
    NS_TEST_EXPECT_MSG_EQ(s.buffer->GetUsed(), 0, "all that was admitted is released");
}

AIDC_TEST_CASE("What a class's queue disc drops is given back")
{
    // Before it is queued: a queue of 3 packets.
    Switch fifo(
        CreateObjectWithAttributes<FifoQueueDisc>("MaxSize", QueueSizeValue(QueueSize("3p"))));
    const auto port0 = fifo.AddIngress(0, {});
    NS_TEST_EXPECT_MSG_EQ(fifo.Arrive(0, LOSSLESS, 5), 3, "the queue is full");
    NS_TEST_EXPECT_MSG_EQ(port0->GetOccupancy(), 3000, "three are charged");

    // After it was queued: CoDel drops while it looks for a packet to send.
    Switch coDel(CreateObject<CoDelQueueDisc>());
    const auto port1 = coDel.AddIngress(1, {});
    NS_TEST_EXPECT_MSG_EQ(coDel.Arrive(1, LOSSLESS, 40), 40, "all are queued");
    uint32_t left = 0;
    for (uint32_t i = 1; i <= 40; ++i)
    {
        Simulator::Schedule(MilliSeconds(100 * i), [&] { left += coDel.Leave(1); });
    }
    Simulator::Run();
    const auto dropped = coDel.port->GetStats().nTotalDroppedPacketsAfterDequeue;
    // Packets leave every 100 ms, which is CoDel's interval. From the second one on, a packet
    // is dropped before each that leaves, but for the last one: CoDel leaves it to the link.
    NS_TEST_EXPECT_MSG_GT_OR_EQ(dropped, 18, "CoDel drops what waits for long");
    NS_TEST_EXPECT_MSG_EQ(left + dropped, 40, "nothing else is lost");
    NS_TEST_EXPECT_MSG_EQ(port1->GetOccupancy(), 0, "all are given back");
    NS_TEST_EXPECT_MSG_EQ(coDel.buffer->GetUsed(), 0, "to the buffer, too");
    Simulator::Destroy();
}

AIDC_TEST_CASE("A class that is discarded gives all back and takes nothing")
{
    Switch s;
    const auto ingress = s.AddIngress(0, {});
    s.Arrive(0, LOSSY, 3);
    // The 49th packet of 1 kB finds 97 - 48 kB, the 50th 97 - 49 kB.
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(0, LOSSLESS, 60), 49, "up to XOFF, without headroom");
    s.port->SetPaused(1, true);
    s.port->SetDiscarding(1, true);
    NS_TEST_EXPECT_MSG_EQ(ingress->GetOccupancy(), 0, "all was given back");
    NS_TEST_EXPECT_MSG_EQ(s.told, "SG", "the peer may go on");
    AIDC_EXPECT(!s.port->IsWaiting(1), "the class is empty");
    NS_TEST_EXPECT_MSG_EQ(s.port->GetNPackets(), 3, "the other is not");
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(0, LOSSLESS, 4), 0, "what arrives is dropped");
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(0, LOSSY, 1), 1, "the other class is served");
    const auto& stats = s.port->GetStats();
    NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(SwitchPortQueueDisc::STORM_DROP),
                          53,
                          "49 that were there and 4 that came");
    s.port->SetDiscarding(1, false);
    s.port->SetPaused(1, false);
    NS_TEST_EXPECT_MSG_EQ(s.Arrive(0, LOSSLESS, 4), 4, "until that ends");
    NS_TEST_EXPECT_MSG_EQ(s.Leave(10), 8, "all leave");
    NS_TEST_EXPECT_MSG_EQ(s.port->GetSent(1), 4, "of the lossless class those that were sent");
    NS_TEST_EXPECT_MSG_EQ(s.buffer->GetUsed(), 0, "all that was admitted is released");
}

// Marking follows the occupancy of a lossless class, just as for a lossy class.
AIDC_TEST_CASE("A lossless class marks by its occupancy")
{
    const auto child = CreateObject<CoupledEcnQueueDisc>();
    child->SetAttribute("Mode", StringValue("StaticStep"));
    child->SetAttribute("Threshold", StringValue("10kB"));
    Switch s(child);
    s.AddIngress(0, {});
    s.Arrive(0, LOSSLESS | ECT0, 12);
    uint32_t marked = 0;
    while (const auto item = s.port->Dequeue())
    {
        marked += GetEcn(item) == CE;
    }
    // The threshold is reached by the 10th packet: it and the two that follow.
    NS_TEST_EXPECT_MSG_EQ(marked, 3, "from 10 kB on");
}

AIDC_TEST_CASE("Impossible accounts end with a message")
{
    ExpectRefusal("Port 4 has an ingress account for priority 1 already", [] {
        Switch s;
        s.AddIngress(4, {});
        s.AddIngress(4, {});
    });
    const auto large = CatchMessage([] { Switch().AddIngress(4, {{"Headroom", "101kB"}}); });
    NS_TEST_EXPECT_MSG_NE(large.find("101000B of headroom: the shared buffer of 100000 bytes"),
                          std::string::npos,
                          large);
    ExpectRefusal("There is no priority 8, expected 0 to 7", [] {
        CreateObject<SharedBuffer>()->AddIngress(0, 8, CreateObject<IngressBuffer>());
    });
    ExpectRefusal("There is no port", [] {
        CreateObject<SharedBuffer>()->AddIngress(SharedBuffer::NO_PORT,
                                                 0,
                                                 CreateObject<IngressBuffer>());
    });

    Switch s;
    const auto ingress = s.AddIngress(0, {{"Headroom", "10kB"}});
    AIDC_EXPECT(!ingress->SetAttributeFailSafe("Headroom", QueueSizeValue(QueueSize("100001B"))),
                "more than there is");
    AIDC_EXPECT(!ingress->SetAttributeFailSafe("Reserved", QueueSizeValue(QueueSize("90001B"))),
                "more than is left");
    AIDC_EXPECT(!ingress->SetAttributeFailSafe("XonOffset", QueueSizeValue(QueueSize("3p"))),
                "packets are no bytes");
    QueueSizeValue headroom;
    ingress->GetAttribute("Headroom", headroom);
    NS_TEST_EXPECT_MSG_EQ(headroom.Get(), QueueSize("10kB"), "as it was");
}
