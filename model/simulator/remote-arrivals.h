// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_REMOTE_ARRIVALS_H
#define AIDC_REMOTE_ARRIVALS_H

#include "window-events.h"

#include "ns3/net-device.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3::aidc
{

class RemoteLink;

/// What a process tells the others before each window, and what they agree on.
struct ProcessAgreement
{
    WindowEvents::Heads heads;  //!< what waits first
    uint64_t stop{UINT64_MAX};  //!< when a node wants all to stop; UINT64_MAX if none does
    bool hasNewChannels{false}; //!< whether there are channels that the lookahead does not consider
    bool isStopped{false};      //!< whether all have to stop now
    bool isAligning{false};     //!< whether processes must meet before each window; not agreed on
};

/// What another process has sent in one window. The events of its arrivals refer to it.
struct RemoteMessage : public SimpleRefCount<RemoteMessage>
{
    std::vector<uint8_t> bytes; //!< arrivals (RemoteArrivals::Append())
};

/// What crosses the links between processes (RemoteLink): arrivals, which are collected
/// while a window runs, and exchanged at its end, in one message to each process that has a
/// link to this one.
///
/// An arrival stays bytes of its message until it happens. Only then does it become a packet, in
/// the memory of the last packet that was deleted, which is still in the cache.
class RemoteArrivals
{
  public:
    /// @param node the id of a node @return whether this process simulates it
    bool IsHere(uint32_t node)
    {
        return node < m_isHere.size() ? m_isHere[node] != 0 : FindWhetherHere(node);
    }

    /// Find the links between this process and others.
    void FindLinks();

    /// Add an arrival at a node of another process.
    /// @param device the device that receives
    /// @param order the place of the event of the arrival
    /// @param bytes what RemoteLink::Receive() reads there
    /// @param size the number of bytes
    void Add(const NetDevice& device,
             const EventOrder& order,
             const uint8_t* bytes,
             std::size_t size);

    /// Agree with other processes on what comes next, and exchange arrivals; every process calls it
    /// at the same point. Without meeting them, it agrees to the next window of this process, if
    /// that ends before any other process has something to do.
    /// @param own what this process tells
    /// @param [in,out] events the events of this process, to which the arrivals at its nodes are
    ///        added
    /// @return what holds for all processes: the least times, and what any of them has told
    ProcessAgreement Meet(const ProcessAgreement& own, WindowEvents& events);

    /// Append an arrival to a message to another process.
    /// @param [in,out] message the message
    /// @param node the id of the node that receives
    /// @param device the number of its device
    /// @param order the place of the event of the arrival
    /// @param bytes what RemoteLink::Receive() reads there
    /// @param size the number of bytes
    static void Append(std::vector<uint8_t>& message,
                       uint32_t node,
                       uint32_t device,
                       const EventOrder& order,
                       const uint8_t* bytes,
                       std::size_t size);

    /// Find the arrivals in a message of another process.
    /// @param message the message, which does not change while there are references to it
    /// @param [in,out] events takes the events of the arrivals
    /// @throws std::runtime_error if it is cut off, or an arrival is not at a link of this process
    void Read(const Ptr<const RemoteMessage>& message, WindowEvents& events) const;

  private:
    /// An arrival that was added since the last exchange.
    struct Head
    {
        uint32_t node; //!< the id of the node that receives
        uint64_t time; //!< when, in time steps
    };

    /// Where an arrival goes. Processes know a device by its node and its number there.
    struct Place
    {
        RemoteLink* link{nullptr}; //!< the link
        uint32_t end{0};           //!< the end of the link that receives
    };

    /// @return whether this process simulates it
    bool FindWhetherHere(uint32_t node);

    /// @return whether its next window is over before any other process has something to do
    bool IsAlone(const ProcessAgreement& own, const WindowEvents& events) const;

    /// @return a message to which nothing refers; new, or one that was read
    Ptr<RemoteMessage> GetFreeMessage();

    std::vector<uint8_t> m_isHere;                //!< by node, whether it is this process's
    std::unordered_map<uint64_t, Place> m_places; //!< by node and device, this process's ends
    std::vector<uint32_t> m_partners;             //!< the processes that have links to this one
    std::vector<std::vector<uint8_t>> m_sent;     //!< the next message to each process
    std::vector<std::vector<uint8_t>> m_received; //!< the last message of each process
    std::vector<Head> m_heads;                    //!< the arrivals in m_sent
    std::vector<Ptr<RemoteMessage>> m_messages;   //!< all messages that were read
    uint64_t m_others{0};  //!< before this time no other process had events when they met
    uint64_t m_barrier{0}; //!< the first event without a node, or stop, of any process then
};

} // namespace ns3::aidc

#endif // AIDC_REMOTE_ARRIVALS_H
