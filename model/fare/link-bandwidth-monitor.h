// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LINK_BANDWIDTH_MONITOR_H
#define AIDC_LINK_BANDWIDTH_MONITOR_H

#include "../core/fare/available-bandwidth.h"

#include "ns3/application.h"
#include "ns3/bgp-speaker.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// Makes a BgpSpeaker weigh and advertise its links by their available bandwidth
/// (draft-xu-idr-fare-00, section "Introduction": "link capacity minus link load").
///
/// An application of the speaker's node, which looks every Interval at the rates of ports to some
/// peers and at the bytes that they have sent. AvailableBandwidth has the average and decides when
/// a change is told: beyond Hysteresis, and UpdateInterval after the last update. In between, BGP
/// has nothing to do, whatever the load does. The bytes that a port has sent include all that its
/// wire was busy with.
///
/// The loop is stable if the speakers of a network have the same intervals. From StopTime on, the
/// speaker keeps the bandwidths that it has. The monitor has an event every Interval, so that a
/// simulation needs a StopTime or a Stop().
class LinkBandwidthMonitor : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Set the speaker, of the same node; before the application starts.
    void SetSpeaker(Ptr<BgpSpeaker> speaker);

    /// Watch the port to a peer of a number; before the application starts.
    void Watch(uint32_t peer, Ptr<EthernetNetDevice> port);

    /// @return the average load of the link to a peer as a share of its rate; 0 before the
    ///         application starts, or if the link is not watched
    double GetUtilization(uint32_t peer) const;

    /// TracedCallback signature for a bandwidth that is given to the speaker, in bytes a second.
    typedef void (*UpdateTracedCallback)(uint32_t peer, double bandwidth);

  protected:
    void DoDispose() override;

  private:
    /// A link.
    struct Link
    {
        uint32_t peer;                               //!< the peer's number
        Ptr<EthernetNetDevice> port;                 //!< the port
        uint64_t sentBytes{0};                       //!< by the port, at the last look
        std::optional<AvailableBandwidth> bandwidth; //!< from the start on

        /// Count the bytes that the port has sent. @return bytes on the wire since the last call
        uint64_t CountSent();

        /// @return the rate of the port in bytes a second
        double GetRate() const;
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Look at each link, tell the speaker what has changed, and schedule the next look.
    void Look();

    Ptr<BgpSpeaker> m_speaker;                      //!< who is told
    std::vector<Link> m_links;                      //!< the links
    Time m_interval;                                //!< attribute Interval
    Time m_timeConstant;                            //!< attribute TimeConstant
    double m_hysteresis{0};                         //!< attribute Hysteresis
    Time m_updateInterval;                          //!< attribute UpdateInterval
    EventId m_event;                                //!< the next look
    TracedCallback<uint32_t, double> m_updateTrace; //!< trace source Update
};

} // namespace ns3::aidc

#endif // AIDC_LINK_BANDWIDTH_MONITOR_H
