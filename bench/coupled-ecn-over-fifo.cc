// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmark coupled_ecn_over_fifo: the cost of a packet through CoupledEcnQueueDisc, over
 * its cost through FifoQueueDisc in the same place.
 *
 * The place is a class of a SwitchPortQueueDisc with 8 classes of equal quanta. Packets of 1500
 * bytes, ECT(0), of all classes go round: 16 are dequeued, then enqueued again, with 48 in the
 * queue before, so that neither side pays for making packets and both see the same ones. The result
 * is for one packet in 16 marked, which is what a long-lived DCTCP flow sees while its window is
 * some 30 packets (its marked share is about 2 over the window). The cost of marking is ns-3's
 * statistics by reason in the child and in the root, which FifoQueueDisc never touches; the figures
 * on the standard error show it apart.
 */

#include "paired-timing.h"

#include "ns3/abort.h"
#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/mac48-address.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/uinteger.h"

#include <array>
#include <cmath>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint32_t N_CLASSES = SwitchPortQueueDisc::MAX_CLASSES;
constexpr uint32_t N_PACKETS = 48; //!< packets in the queue disc
constexpr uint32_t BURST = 16;     //!< packets dequeued, then enqueued, at a time
constexpr uint32_t ROUNDS = 64;    //!< bursts a timed run
constexpr uint32_t RUN = BURST * ROUNDS;

/// Which queue disc a load passes through.
enum class Kind
{
    FIFO,
    COUPLED
};

/// Where the queue disc is.
enum class Place
{
    DWRR,   //!< in the classes of a switch port, with equal quanta
    STRICT, //!< in the classes of a switch port, with strict priority
    ROOT    //!< as the root
};

/// Make a queue disc of a kind.
Ptr<QueueDisc>
MakeQueueDisc(Kind kind, bool marks)
{
    if (kind == Kind::FIFO)
    {
        ObjectFactory factory("ns3::FifoQueueDisc");
        factory.Set("MaxSize", QueueSizeValue(QueueSize("12MB")));
        return factory.Create<QueueDisc>();
    }
    auto queueDisc = CreateObject<CoupledEcnQueueDisc>();
    if (marks)
    {
        // Of the two packets that a burst brings to a class, the second makes it hold six.
        queueDisc->GetBufferQueue()->SetAttribute("Cap", QueueSizeValue(QueueSize("100kB")));
        queueDisc->SetAttribute("Offset", QueueSizeValue(QueueSize("100kB")));
        queueDisc->SetAttribute("EcnFloor", QueueSizeValue(QueueSize("9000B")));
    }
    return queueDisc;
}

/**
 * @brief Packets that go round through a queue disc.
 */
class Load
{
  public:
    /// Constructor.
    Load(Kind kind, Place place, uint32_t nMarking)
    {
        if (place == Place::ROOT)
        {
            m_root = MakeQueueDisc(kind, false);
        }
        else
        {
            const auto port = CreateObject<SwitchPortQueueDisc>();
            for (uint32_t i = 0; i < N_CLASSES; ++i)
            {
                auto qdClass = CreateObject<SwitchPortClass>();
                qdClass->SetAttribute("Quantum", UintegerValue(place == Place::DWRR ? 1500 : 0));
                qdClass->SetQueue(MakeQueueDisc(kind, i < nMarking));
                port->AddClass(qdClass);
            }
            m_root = port;
        }
        m_root->Initialize();
        for (uint32_t i = 0; i < N_PACKETS; ++i)
        {
            auto packet = Create<Packet>(1480);
            Ipv4Header header;
            header.SetSource(Ipv4Address("10.0.0.1"));
            header.SetDestination(Ipv4Address("10.0.0.2"));
            header.SetProtocol(6);
            header.SetPayloadSize(packet->GetSize());
            header.SetTtl(64);
            // Class selectors 0 to 7
            header.SetTos(static_cast<uint8_t>((i % N_CLASSES) << 5 | Ipv4Header::ECN_ECT0));
            m_root->Enqueue(Create<Ipv4QueueDiscItem>(packet,
                                                      Mac48Address("00:00:00:00:00:01"),
                                                      0x0800,
                                                      header));
        }
        Run();
    }

    ~Load()
    {
        const auto& stats = m_root->GetStats();
        NS_ABORT_MSG_IF(stats.nTotalDroppedPackets > 0 || m_root->GetNPackets() != N_PACKETS,
                        "A packet was lost");
        m_root->Dispose();
    }

    /// Send RUN packets through the queue disc.
    void Run()
    {
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            for (auto& item : m_items)
            {
                item = m_root->Dequeue();
            }
            for (auto& item : m_items)
            {
                m_root->Enqueue(item);
            }
        }
    }

    /// Get the share of packets that were marked. @return from 0 to 1
    double GetMarkedShare() const
    {
        const auto& stats = m_root->GetStats();
        return static_cast<double>(stats.nTotalMarkedPackets) / stats.nTotalReceivedPackets;
    }

  private:
    Ptr<QueueDisc> m_root;                           //!< what the packets are put into
    std::array<Ptr<QueueDiscItem>, BURST> m_items{}; //!< the packets that are out of it
};

/// Measure coupled ECN over first-in-first-out. The queue discs are made anew from time to time, so
/// that the result does not depend on where in memory one pair of them happens to be.
PairedRatio
Compare(const std::string& text, Place place, uint32_t nMarking, uint32_t pairs)
{
    constexpr uint32_t PAIRS_A_LOAD = 25;
    PairedTiming timing;
    double marked = 0;
    std::vector<std::unique_ptr<Load>> kept;
    for (uint32_t i = 0; i < pairs; i += PAIRS_A_LOAD)
    {
        auto coupled = std::make_unique<Load>(Kind::COUPLED, place, nMarking);
        auto fifo = std::make_unique<Load>(Kind::FIFO, place, nMarking);
        for (uint32_t j = i; j < std::min(pairs, i + PAIRS_A_LOAD); ++j)
        {
            timing.Measure([&] { coupled->Run(); }, [&] { fifo->Run(); });
        }
        marked = coupled->GetMarkedShare();
        // Kept for a while, or the next ones would have the same memory.
        kept.push_back(std::move(coupled));
        kept.push_back(std::move(fifo));
    }
    const auto ratio = timing.Get();
    PrintNote(text + ", " + std::to_string(std::lround(100 * marked)) + " % marked", ratio, RUN);
    return ratio;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string name = "coupled_ecn_over_fifo";
    const auto options =
        ParseBenchmarkOptions(argc,
                              argv,
                              name,
                              "cost of a packet through CoupledEcnQueueDisc, over FifoQueueDisc "
                              "in the same place",
                              "fifo coupled fifo-root coupled-root",
                              1001);
    if (!options.selected)
    {
        return 0;
    }
    // Until a first simulation begins, ns-3 keeps a list of all Time objects, at a cost that would
    // hide what is measured.
    Simulator::Run();
    if (!options.only.empty())
    {
        const bool root = options.only.find("-root") != std::string::npos;
        Load load(options.only.rfind("fifo", 0) == 0 ? Kind::FIFO : Kind::COUPLED,
                  root ? Place::ROOT : Place::DWRR,
                  1);
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            load.Run();
        }
        return 0;
    }
    std::cerr << name << ": a packet through CoupledEcnQueueDisc over one through FifoQueueDisc"
              << std::endl;
    const uint32_t pairs = options.pairs;
    const auto result = Compare("child of a port, equal quanta", Place::DWRR, 1, pairs);
    Compare("child of a port, equal quanta", Place::DWRR, 0, pairs);
    Compare("child of a port, equal quanta", Place::DWRR, N_CLASSES, pairs);
    Compare("child of a port, strict priority", Place::STRICT, 0, pairs);
    Compare("root", Place::ROOT, 0, pairs);
    PrintResult(name, "FifoQueueDisc in the same classes of SwitchPortQueueDisc", result);
    return 0;
}
