// SPDX-License-Identifier: GPL-2.0-only

#include "remote-arrivals.h"

#include "../core/object-pool.h"
#include "mpi-processes.h"

#include "ns3/channel-list.h"
#include "ns3/channel.h"
#include "ns3/event-impl.h"
#include "ns3/node-list.h"
#include "ns3/node.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>
#include <type_traits>

namespace ns3::aidc
{

namespace
{

/// What precedes the bytes of an arrival, as all processes run on the same kind of processor.
struct ArrivalHeader
{
    EventOrder order; //!< the place of the event
    uint32_t node;    //!< the id of the node that receives
    uint32_t device;  //!< the number of its device
    uint64_t size;    //!< bytes that follow
};

static_assert(std::is_trivially_copyable_v<ArrivalHeader>);

/// The event of an arrival.
class RemoteArrival final : public EventImpl
{
  public:
    /// Constructor. link: the link, which lives as long as the network.
    RemoteArrival(RemoteLink& link,
                  uint32_t end,
                  const Ptr<const RemoteMessage>& message,
                  std::size_t begin,
                  std::size_t size)
        : m_link(link),
          m_message(message),
          m_begin(begin),
          m_size(size),
          m_end(end)
    {
    }

    static void* operator new(std::size_t)
    {
        return ObjectPool<RemoteArrival>::Allocate();
    }

    static void operator delete(void* memory)
    {
        ObjectPool<RemoteArrival>::Free(memory);
    }

  private:
    void Notify() override
    {
        m_link.Receive(m_end, m_message->bytes.data() + m_begin, m_size);
    }

    RemoteLink& m_link;                 //!< the link
    Ptr<const RemoteMessage> m_message; //!< the message
    std::size_t m_begin;                //!< where the arrival begins
    std::size_t m_size;                 //!< the number of its bytes
    uint32_t m_end;                     //!< the end of the link that receives
};

uint64_t
GetKey(uint32_t node, uint32_t device)
{
    return uint64_t{node} << 32 | device;
}

} // namespace

bool
RemoteArrivals::FindWhetherHere(uint32_t node)
{
    const uint32_t own = MpiProcesses::Get().GetIndex();
    for (auto i = static_cast<uint32_t>(m_isHere.size()); i < NodeList::GetNNodes(); ++i)
    {
        m_isHere.push_back(NodeList::GetNode(i)->GetSystemId() == own ? 1 : 0);
    }
    return node >= m_isHere.size() || m_isHere[node] != 0;
}

void
RemoteArrivals::FindLinks()
{
    const uint32_t own = MpiProcesses::Get().GetIndex();
    m_places.clear();
    m_others = 0;
    std::set<uint32_t> partners;
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); ++i)
    {
        const auto channel = ChannelList::GetChannel(i);
        auto* link = dynamic_cast<RemoteLink*>(PeekPointer(channel));
        for (uint32_t end = 0; link && channel->GetNDevices() == 2 && end < 2; ++end)
        {
            const auto device = channel->GetDevice(end);
            const auto node = device->GetNode();
            const uint32_t other = channel->GetDevice(1 - end)->GetNode()->GetSystemId();
            if (node->GetSystemId() == own && other != own)
            {
                m_places[GetKey(node->GetId(), device->GetIfIndex())] = {link, end};
                partners.insert(other);
            }
        }
    }
    m_partners.assign(partners.begin(), partners.end());
    m_sent.resize(MpiProcesses::Get().GetN());
    m_received.resize(MpiProcesses::Get().GetN());
}

void
RemoteArrivals::Add(const NetDevice& device,
                    const EventOrder& order,
                    const uint8_t* bytes,
                    std::size_t size)
{
    const auto node = device.GetNode();
    Append(m_sent[node->GetSystemId()], node->GetId(), device.GetIfIndex(), order, bytes, size);
    m_heads.push_back({node->GetId(), order.time});
}

void
RemoteArrivals::Append(std::vector<uint8_t>& message,
                       uint32_t node,
                       uint32_t device,
                       const EventOrder& order,
                       const uint8_t* bytes,
                       std::size_t size)
{
    const ArrivalHeader header{order, node, device, size};
    const auto* begin = reinterpret_cast<const uint8_t*>(&header);
    message.insert(message.end(), begin, begin + sizeof(header));
    message.insert(message.end(), bytes, bytes + size);
}

bool
RemoteArrivals::IsAlone(const ProcessAgreement& own, const WindowEvents& events) const
{
    return own.stop == UINT64_MAX && !own.hasNewChannels && !own.isStopped && !own.isAligning &&
           m_heads.empty() && events.IsAlone(own.heads, m_others, m_barrier);
}

ProcessAgreement
RemoteArrivals::Meet(const ProcessAgreement& own, WindowEvents& events)
{
    if (IsAlone(own, events))
    {
        return own;
    }
    WindowEvents::Heads sent;
    for (const auto& head : m_heads)
    {
        events.AddTo(sent, head.node, head.time);
    }
    const auto& begins = own.heads.begins;
    uint64_t others = std::min(begins[0], begins[1]);
    const auto least = MpiProcesses::Get().GetLeast({own.heads.barrier,
                                                     std::min(begins[0], sent.begins[0]),
                                                     std::min(begins[1], sent.begins[1]),
                                                     own.stop,
                                                     own.hasNewChannels ? 0U : 1U,
                                                     own.isStopped ? 0U : 1U,
                                                     ~events.GetLatestLimit(),
                                                     std::min(sent.begins[0], sent.begins[1])},
                                                    &others);
    const uint64_t firstSent = least[7];
    m_others = std::min(others, firstSent);
    m_barrier = std::min(least[0], least[3]);
    events.SetLatestLimit(~least[6]);
    const ProcessAgreement agreed{{m_barrier, {least[1], least[2]}},
                                  least[3],
                                  least[4] == 0,
                                  least[5] == 0};
    if (firstSent == UINT64_MAX)
    {
        return agreed; // as after most windows where there is little traffic
    }
    MpiProcesses::Get().Exchange(m_partners, m_sent, m_received);
    m_heads.clear();
    for (const uint32_t partner : m_partners)
    {
        m_sent[partner].clear();
        const auto message = GetFreeMessage();
        message->bytes.swap(m_received[partner]);
        Read(message, events);
    }
    return agreed;
}

Ptr<RemoteMessage>
RemoteArrivals::GetFreeMessage()
{
    // There are few: the messages of the windows that the delay of the longest link spans.
    for (const auto& message : m_messages)
    {
        if (message->GetReferenceCount() == 1)
        {
            return message;
        }
    }
    return m_messages.emplace_back(Create<RemoteMessage>());
}

void
RemoteArrivals::Read(const Ptr<const RemoteMessage>& message, WindowEvents& events) const
{
    const auto& bytes = message->bytes;
    std::size_t begin = 0;
    while (begin < bytes.size())
    {
        ArrivalHeader header;
        const std::size_t left = bytes.size() - begin;
        if (left >= sizeof(header))
        {
            std::memcpy(&header, bytes.data() + begin, sizeof(header));
        }
        if (left < sizeof(header) || left - sizeof(header) < header.size)
        {
            throw std::runtime_error("what another process has sent is cut off, " +
                                     std::to_string(left) + " bytes before its end");
        }
        begin += sizeof(header);
        const auto place = m_places.find(GetKey(header.node, header.device));
        if (place == m_places.end())
        {
            throw std::runtime_error(
                "another process has sent to node " + std::to_string(header.node) + ", device " +
                std::to_string(header.device) +
                ", where this process has no link: expected each process to make "
                "the same network");
        }
        if (header.order.time < events.GetRunUntil(header.node))
        {
            throw std::runtime_error("another process has sent to node " +
                                     std::to_string(header.node) +
                                     " what arrives at a time that the node has passed");
        }
        const auto& [link, end] = place->second;
        events.Insert({header.order,
                       header.node,
                       new RemoteArrival(*link, end, message, begin, header.size)});
        begin += header.size;
    }
}

} // namespace ns3::aidc
