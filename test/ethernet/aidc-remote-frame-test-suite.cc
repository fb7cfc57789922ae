// SPDX-License-Identifier: GPL-2.0-only

#include "model/simulator/remote-arrivals.h"
#include "model/simulator/window-events.h"
#include "test/test-case.h"

#include "ns3/csig-tag.h"
#include "ns3/csig-truth-monitor.h"
#include "ns3/ethernet-frame.h"

#include <cstring>

// What crosses links between processes, without MPI.
AIDC_TEST_SUITE("aidc-remote-frame", UNIT);

using Bytes = std::vector<uint8_t>;

Bytes
Get(const Ptr<const Packet>& packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

Bytes
GetTagBytes(const Tag& tag)
{
    Bytes bytes(tag.GetSerializedSize());
    tag.Serialize(TagBuffer(bytes.data(), bytes.data() + bytes.size()));
    return bytes;
}

class RandomFrames
{
  public:
    explicit RandomFrames(uint32_t seed)
        : m_random(seed)
    {
    }

    /// Returns a number from 0 on.
    uint32_t Draw(uint32_t most)
    {
        return static_cast<uint32_t>(m_random() % (uint64_t{most} + 1));
    }

    Bytes DrawBytes(std::size_t size)
    {
        Bytes bytes(size);
        for (auto& byte : bytes)
        {
            byte = static_cast<uint8_t>(Draw(255));
        }
        return bytes;
    }

    /// Returns a packet of random size and tags; some of it may be zeros that take no memory.
    Ptr<Packet> MakePacket()
    {
        const auto bytes = DrawBytes(Draw(3) == 0 ? 0 : Draw(2000));
        const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        if (Draw(1) == 0)
        {
            packet->AddAtEnd(Create<Packet>(Draw(9000)));
        }
        AddTags(*packet);
        return packet;
    }

    EthernetFrame MakeFrame()
    {
        EthernetFrame frame;
        frame.packet = MakePacket();
        auto& fields = frame.fields;
        const auto addresses = DrawBytes(fields.source.size() + fields.destination.size());
        std::memcpy(fields.source.data(), addresses.data(), fields.source.size());
        std::memcpy(fields.destination.data(),
                    addresses.data() + fields.source.size(),
                    fields.destination.size());
        fields.nVlans = static_cast<uint8_t>(Draw(EthernetFields::MAX_VLANS));
        for (std::size_t i = 0; i < fields.nVlans; ++i)
        {
            fields.vlans[i].priority = static_cast<uint8_t>(Draw(7));
            fields.vlans[i].id = static_cast<uint16_t>(Draw(4094));
        }
        fields.tagSize = static_cast<uint8_t>(Draw(1) * EthernetFields::MAX_TAG);
        const auto tag = DrawBytes(fields.tagSize);
        std::copy(tag.begin(), tag.end(), fields.tag.begin());
        fields.etherType = static_cast<uint16_t>(Draw(0xffff));
        frame.hasTransit = Draw(1) == 0;
        if (frame.hasTransit)
        {
            const auto header = DrawBytes(frame.transit.bytes.size());
            std::copy(header.begin(), header.end(), frame.transit.bytes.begin());
            frame.transit.flow.source = Draw(UINT32_MAX);
            frame.transit.flow.destinationPort = static_cast<uint16_t>(Draw(0xffff));
        }
        frame.isWritten = Draw(1) == 0;
        return frame;
    }

  private:
    void AddTags(const Packet& packet)
    {
        if (Draw(1) == 0)
        {
            CsigFields fields;
            fields.format = CsigFormat::EXPANDED;
            fields.type = static_cast<uint8_t>(Draw(3));
            fields.locator = static_cast<uint16_t>(Draw(0xffff));
            fields.value = Draw(1000);
            packet.AddPacketTag(CsigTag(fields));
        }
        if (Draw(1) == 0)
        {
            CsigTruthTag tag;
            tag.values.arrival = Draw(UINT32_MAX);
            tag.Update(CsigSignal::ABW, Draw(UINT32_MAX) / 3.0, static_cast<uint16_t>(Draw(80)));
            packet.AddPacketTag(tag);
        }
        if (Draw(1) == 0)
        {
            FrameContext context;
            context.arrival = Draw(UINT32_MAX);
            context.priority = static_cast<uint8_t>(Draw(7));
            context.ingressPort = static_cast<uint16_t>(Draw(64));
            packet.AddPacketTag(FrameContextTag(context));
        }
        if (Draw(1) == 0)
        {
            SocketPriorityTag tag;
            tag.SetPriority(static_cast<uint8_t>(Draw(7)));
            packet.AddPacketTag(tag);
        }
        if (Draw(1) == 0 && packet.GetSize() > 0)
        {
            SocketIpTtlTag tag;
            tag.SetTtl(static_cast<uint8_t>(Draw(255)));
            packet.AddByteTag(tag);
        }
    }

    std::mt19937 m_random; //!< draws numbers
};

template <typename T>
void
CompareTag(const Packet& packet, const Packet& read, const std::string& name)
{
    T a;
    T b;
    const bool hasTag = packet.PeekPacketTag(a);
    NS_TEST_ASSERT_MSG_EQ(read.PeekPacketTag(b), hasTag, name << " is there");
    AIDC_EXPECT(!hasTag || GetTagBytes(a) == GetTagBytes(b), name << " is the same");
}

void
Compare(const EthernetFrame& frame, const EthernetFrame& read, const std::string& name)
{
    const auto& fields = frame.fields;
    AIDC_EXPECT(read.fields.source == fields.source, name << ": source");
    AIDC_EXPECT(read.fields.destination == fields.destination, name);
    NS_TEST_EXPECT_MSG_EQ(+read.fields.nVlans, +fields.nVlans, name << ": VLAN tags");
    AIDC_EXPECT(read.fields.vlans == fields.vlans, name << ": VLAN tags");
    NS_TEST_EXPECT_MSG_EQ(+read.fields.tagSize, +fields.tagSize, name << ": size of the tag");
    AIDC_EXPECT(read.fields.tag == fields.tag, name << ": the tag");
    NS_TEST_EXPECT_MSG_EQ(read.fields.etherType, fields.etherType, name << ": EtherType");
    NS_TEST_EXPECT_MSG_EQ(read.hasTransit, frame.hasTransit, name << ": parsed IPv4 header");
    AIDC_EXPECT(read.transit.bytes == frame.transit.bytes, name << ": IPv4");
    AIDC_EXPECT(read.transit.flow == frame.transit.flow, name << ": flow");
    NS_TEST_EXPECT_MSG_EQ(read.isWritten, frame.isWritten, name << ": written");
    AIDC_ASSERT(Get(read.packet) == Get(frame.packet), name << ": bytes");
    CompareTag<CsigTag>(*frame.packet, *read.packet, name + ": CsigTag");
    CompareTag<CsigTruthTag>(*frame.packet, *read.packet, name + ": CsigTruthTag");
    CompareTag<FrameContextTag>(*frame.packet, *read.packet, name + ": FrameContextTag");
    CompareTag<SocketPriorityTag>(*frame.packet, *read.packet, name + ": SocketPriorityTag");
    SocketIpTtlTag a;
    SocketIpTtlTag b;
    const bool hasTag = frame.packet->FindFirstMatchingByteTag(a);
    NS_TEST_ASSERT_MSG_EQ(read.packet->FindFirstMatchingByteTag(b), hasTag, name);
    AIDC_EXPECT(!hasTag || b.GetTtl() == a.GetTtl(), name << ": byte tag");
}

// Any frame is the same in another process.
AIDC_TEST_CASE("any frame survives, with its headers and tags")
{
    for (uint32_t seed = 1; seed <= 500; ++seed)
    {
        RandomFrames random(seed);
        const auto frame = random.MakeFrame();
        const uint32_t epoch = random.Draw(UINT32_MAX);
        Bytes bytes = random.DrawBytes(random.Draw(100)); // what was there before
        WriteRemoteFrame(epoch, frame, bytes);
        const auto read = ReadRemoteFrame(bytes.data(), bytes.size());
        NS_TEST_ASSERT_MSG_EQ(read.epoch, epoch, "seed " << seed);
        Compare(frame, read.frame, "seed " + std::to_string(seed));
    }
}

// A frame that was cut at any byte, or has bytes too many, is an error.
AIDC_TEST_CASE("cut frames are an error")
{
    RandomFrames random(7);
    for (uint32_t i = 0; i < 10; ++i)
    {
        Bytes bytes;
        WriteRemoteFrame(0, random.MakeFrame(), bytes);
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            const Bytes cut(bytes.data(), bytes.data() + size);
            const auto error = MessageOf([&] { ReadRemoteFrame(cut.data(), cut.size()); });
            NS_TEST_ASSERT_MSG_NE(error, "", "cut after " << size << " bytes");
        }
        bytes.push_back(0);
        NS_TEST_EXPECT_MSG_NE(MessageOf([&] { ReadRemoteFrame(bytes.data(), bytes.size()); }),
                              "",
                              "a byte too many");
    }
}

/// What crosses links between processes, as one process has written it and another one reads it.
/// Node 0 is of this process, node 1 of another one, and there are two links between them.
class RemoteArrivalsTest : public TestCase
{
  protected:
    using TestCase::TestCase;

    static constexpr uint32_t N_LINKS = 2; //!< the links

    /// Messages of many frames are read.
    void CheckWhole()
    {
        RandomFrames random(3);
        for (uint32_t n = 0; n <= 20; ++n)
        {
            const auto message = Create<RemoteMessage>();
            for (uint32_t i = 0; i < n; ++i)
            {
                Append(message->bytes, random, 0, i % N_LINKS, 1000 + i);
            }
            WindowEvents windows;
            NS_TEST_ASSERT_MSG_EQ(MessageOf([&] { m_arrivals.Read(message, windows); }), "", n);
            auto events = windows.TakeAll();
            std::sort(events.begin(), events.end(), EarlierEvent());
            NS_TEST_ASSERT_MSG_EQ(events.size(), n, "all arrivals");
            for (uint32_t i = 0; i < n; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(events[i].order.time, 1000 + i, "the time");
                NS_TEST_EXPECT_MSG_EQ(events[i].order.number, i, "the place");
                NS_TEST_EXPECT_MSG_EQ(events[i].node, 0, "the node");
                events[i].impl->Unref();
            }
        }
    }

    /// Messages that were cut, and arrivals elsewhere, are errors.
    void CheckErrors()
    {
        RandomFrames random(4);
        Bytes message;
        Append(message, random, 0, 0, 1);
        const std::size_t first = message.size();
        Append(message, random, 0, 1, 2);
        for (std::size_t size = 0; size <= message.size(); ++size)
        {
            const auto cut = Create<RemoteMessage>();
            cut->bytes.assign(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size));
            WindowEvents events;
            const auto error = MessageOf([&] { m_arrivals.Read(cut, events); });
            const bool isWhole = size == 0 || size == first || size == message.size();
            NS_TEST_ASSERT_MSG_EQ(error.empty(), isWhole, "cut after " << size << ": " << error);
            for (const auto& event : events.TakeAll())
            {
                event.impl->Unref();
            }
        }
        for (const auto& [node, device] : {std::pair(0U, N_LINKS), std::pair(1U, 0U)})
        {
            const auto other = Create<RemoteMessage>();
            Append(other->bytes, random, node, device, 1);
            WindowEvents events;
            const auto error = MessageOf([&] { m_arrivals.Read(other, events); });
            NS_TEST_EXPECT_MSG_NE(error.find("where this process has no link"),
                                  std::string::npos,
                                  "node " << node << ", device " << device << ": " << error);
        }
    }

    static void Append(Bytes& message,
                       RandomFrames& random,
                       uint32_t node,
                       uint32_t device,
                       uint64_t time)
    {
        Bytes bytes;
        WriteRemoteFrame(0, random.MakeFrame(), bytes);
        const EventOrder order{time, 0, 0, 2, time >= 1000 ? time - 1000 : 0};
        RemoteArrivals::Append(message, node, device, order, bytes.data(), bytes.size());
    }

    std::array<Ptr<Node>, 2> m_nodes; //!< of each process
    RemoteArrivals m_arrivals;        //!< of this process
};

AIDC_TEST_CASE_F(RemoteArrivalsTest,
                 "arrivals go to their links, in any number, and errors are found")
{
    for (uint32_t process = 0; process < 2; ++process)
    {
        m_nodes[process] = CreateObject<Node>(process);
    }
    for (uint32_t i = 0; i < N_LINKS; ++i)
    {
        const auto channel = CreateObject<EthernetChannel>();
        for (const auto& node : m_nodes)
        {
            const auto device = CreateObject<EthernetNetDevice>();
            node->AddDevice(device);
            device->Attach(channel);
        }
    }
    m_arrivals.FindLinks();
    CheckWhole();
    CheckErrors();
}
