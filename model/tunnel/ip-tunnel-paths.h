// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_IP_TUNNEL_PATHS_H
#define AIDC_IP_TUNNEL_PATHS_H

#include "../core/fragmentation-needed.h"
#include "../core/ipv4-bytes.h"
#include "../core/tunnel/ip-tunnel-headers.h"
#include "../core/tunnel/tunnel-paths.h"

#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

class MultipathRouting;

/// A tunnel that is notified of changes of its paths.
class IpTunnelPathListener
{
  public:
    virtual ~IpTunnelPathListener() = default;

    /// A path has gone up or down. path: the index of the path.
    virtual void NotifyPathState(uint32_t path, bool isUp) = 0;

    /// The default path has changed. before: the index of the path, TunnelPathChoice::NONE for
    /// none; after: the index of the path, TunnelPathChoice::NONE for none.
    virtual void NotifyDefaultPath(uint32_t before, uint32_t after) = 0;

    /// Paths have gone up or down, or the default path was chosen again.
    virtual void NotifyPaths() = 0;

    /// A keepalive is due. @param path the index of its path
    virtual void SendKeepalive(uint32_t path) = 0;
};

/// The paths of a tunnel: their states, and the default path of packets that are not steered.
///
/// Path 0 is the primary one, the others are alternates in the order of preference. A path is a
/// list of waypoints. It is up while there is a route to its first waypoint (or the other end) over
/// a link that is up, and while its keepalives return, if there are any. The tunnel sends
/// keepalives and reports those that return. This class decides when they are due and when missing
/// ones mean that the path is down.
class IpTunnelPaths
{
  public:
    /// The settings of a tunnel's paths.
    struct Settings
    {
        uint32_t mtu{65535};         //!< the longest outer packet in bytes
        uint32_t shimSize{0};        //!< bytes between the outer headers and the inner packet
        Time holdTime;               //!< time until packets return to a restored path
        Time keepaliveInterval;      //!< the time between keepalives, 0 for none
        uint32_t keepaliveMisses{3}; //!< unanswered keepalives after which a path is down
        Time mtuTimeout; //!< the age at which an MTU that routers have told is forgotten
    };

    /// A path.
    struct Path
    {
        std::vector<Ipv4Address> waypoints; //!< the nearest first
        std::vector<uint32_t> destinations; //!< of the outer headers, the innermost first
        uint32_t mtu{0};                    //!< the longest inner packet, 0 without a route
    };

    using Listener = IpTunnelPathListener; //!< the tunnel that has the paths

    /// The most waypoints of a path. Routers can still read the flow below all these headers.
    static constexpr uint32_t MAX_WAYPOINTS = 4;

    /// Constructor: one path without waypoints. settings: the settings, which may change at any
    /// time.
    IpTunnelPaths(Listener& listener, const Settings& settings);

    ~IpTunnelPaths();

    /// Set the paths: the primary one, then the alternates in the order of preference.
    /// @param waypoints the waypoints of each path, the nearest first
    void Set(const std::vector<std::vector<Ipv4Address>>& waypoints);

    /// Set the stack whose routes are looked up. device: the tunnel; ipv4: the stack of its node;
    /// remote: the other end of the tunnel.
    void Install(Ptr<NetDevice> device, Ptr<Ipv4> ipv4, Ipv4Address remote)
    {
        m_device = PeekPointer(device);
        m_ipv4 = ipv4;
        m_remote = remote;
    }

    /// Start to follow routes and links, and to send keepalives.
    void Start();

    /// Stop following routes and sending keepalives, and forget the node.
    void Stop();

    /// @return the number of paths
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_paths.size());
    }

    /// @param path the index of a path @return whether it is up
    bool IsUp(uint32_t path) const
    {
        return m_choice.IsUp(path);
    }

    /// @return the index of the path of packets that are not steered; TunnelPathChoice::NONE if
    ///         none is up
    uint32_t GetDefault() const
    {
        return m_choice.GetChosen();
    }

    /// @param path the index of the path that a packet should take
    /// @return this index if the path is up; otherwise the index of the default path
    uint32_t GetUsable(uint32_t path) const
    {
        return path < m_paths.size() && m_choice.IsUp(path) ? path : m_choice.GetChosen();
    }

    /// @param path the index of a path @return the path; destinations and MTU as of Refresh()
    const Path& Get(uint32_t path) const
    {
        return m_paths.at(path);
    }

    /// @return the bytes of the headers that packets get by the default path, or without one as by
    ///         a path that has no waypoints
    uint32_t GetHeaderBytes() const
    {
        const uint32_t path = GetDefault();
        return GetOverhead(path < m_paths.size() ? m_paths[path].waypoints.size() : 0);
    }

    /// @param path the index of a path
    /// @return the bytes of its longest inner packet by the present routes
    uint32_t FindMtu(uint32_t path) const;

    /// Learn the MTU of a path.
    /// @param message what a router says about a packet from this end of the tunnel
    /// @param shim what is between the outer headers and the inner one
    /// @return whether the packet can be one of this tunnel, and an MTU is smaller than before
    bool LearnMtu(const FragmentationNeeded& message, const TunnelShim& shim);

    /// Forget the MTUs that routers have told long ago. @return whether there were any
    bool ForgetMtus();

    /// Update the paths before a packet takes one, if they may have changed.
    void Refresh()
    {
        // ns-3's own routing does not notify of changes.
        if (m_isStale || !m_routing)
        {
            Update();
        }
    }

    /// Update the paths as soon as the current event is over.
    void NotifyRoutes();

    /// Restart the count of keepalives, and send the next ones now.
    void RestartKeepalives();

    /// Note that a keepalive has returned. @param path the index of its path
    void NotifyKeepalive(uint32_t path);

  private:
    /// Find out which paths are up.
    void Update();

    /// @return the bytes of this header and what is between it and the inner packet
    uint32_t GetOverhead(std::size_t index) const
    {
        return IPV4_HEADER_SIZE * static_cast<uint32_t>(index + 1) + m_settings.shimSize;
    }

    /// Choose the default path.
    void Choose();

    /// Send keepalives from now on, if there are to be any.
    void StartKeepalives();

    void SendKeepalives();

    // The members that each packet touches come first.
    bool m_isStale{false};           //!< whether routes or links may have changed
    Ptr<MultipathRouting> m_routing; //!< the node's routing, null if it is another one
    std::vector<Path> m_paths;       //!< the paths
    TunnelPathChoice m_choice;       //!< chooses the default path, and counts keepalives
    PathMtuTable m_learned;          //!< MTUs that routers have told
    Listener& m_listener;            //!< the tunnel
    const Settings& m_settings;      //!< the settings
    bool m_isStarted{false};         //!< whether Start() was called
    NetDevice* m_device{nullptr};    //!< the tunnel's device, which has this object
    Ptr<Ipv4> m_ipv4;                //!< the stack, null before Install()
    Ipv4Address m_remote;            //!< the other end
    EventId m_choiceEvent;           //!< the end of a hold time
    EventId m_keepaliveEvent;        //!< the next keepalives
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_PATHS_H
