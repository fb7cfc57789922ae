/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LINK_BANDWIDTH_MONITOR_H
#define AIDC_LINK_BANDWIDTH_MONITOR_H

#include "bgp-speaker.h"

#include "ns3/application.h"
#include "ns3/available-bandwidth.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/event-id.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Makes a BgpSpeaker weigh and advertise its links by their rates and their loads
 *        (draft-xu-idr-fare, section "Introduction": "available link capacity").
 *
 * An application of the speaker's node, which looks every Interval at what the ports to some peers
 * have sent. AvailableBandwidth has the average and says when a change is told: beyond Hysteresis,
 * and UpdateInterval after the last one. In between, BGP has nothing to do, whatever the load does.
 *
 * What an EthernetNetDevice has sent is all that its wire was busy with. Other devices need a root
 * queue disc, whose packets count.
 *
 * From StopTime on, the speaker keeps the bandwidths that it has. The monitor has an event an
 * Interval, so that a simulation needs a StopTime or a Stop().
 */
class LinkBandwidthMonitor : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    LinkBandwidthMonitor();
    ~LinkBandwidthMonitor() override;

    /// Set the speaker, of the same node; before the application starts. @param speaker the speaker
    void SetSpeaker(Ptr<BgpSpeaker> speaker);

    /**
     * @brief Watch the link to a peer; before the application starts.
     *
     * The program ends, with a message that says what was expected, if the device has no rate, or
     * is no EthernetNetDevice and has no root queue disc when the application starts.
     *
     * @param peer the peer's number
     * @param device the port to it
     */
    void Watch(uint32_t peer, Ptr<NetDevice> device);

    /// Get the average load of a link.
    /// @param peer the peer's number
    /// @return bytes a second; 0 before the application starts, or if the link is not watched
    double GetLoad(uint32_t peer) const;

    /// Get how strongly the bandwidth of a link follows its load (see AvailableBandwidth).
    /// @param peer the peer's number
    /// @return E, from 1/2 to 8; 0 before the application starts, or if the link is not watched
    double GetSteepness(uint32_t peer) const;

    /// Get the number of updates of all links.
    /// @return how often a bandwidth was given to the speaker
    uint64_t GetNUpdates() const;

    /// TracedCallback signature for a bandwidth that is given to the speaker.
    /// @param [in] peer the peer's number
    /// @param [in] bandwidth that of the link, in bytes a second
    typedef void (*UpdateTracedCallback)(uint32_t peer, double bandwidth);

  protected:
    void DoDispose() override;

  private:
    /// A link.
    struct Link
    {
        uint32_t peer{0};                            //!< the peer's number
        Ptr<NetDevice> device;                       //!< the port
        Ptr<const EthernetNetDevice> ethernet;       //!< the port, if it is one
        Ptr<QueueDisc> queueDisc;                    //!< else: its root queue disc
        uint64_t sentBytes{0};                       //!< by the port, at the last sample
        std::optional<AvailableBandwidth> bandwidth; //!< from the start on

        /// Get what the port has sent. @return bytes on the wire
        uint64_t GetSentBytes() const;
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Get how long an update takes until all traffic that it moves is seen here.
    /// @return what looks, BGP's intervals and the links take
    Time GetDelay() const;

    /// Take a sample of each link, tell the speaker what has changed, and schedule the next one.
    void Sample();

    Ptr<BgpSpeaker> m_speaker;                      //!< who is told
    std::vector<Link> m_links;                      //!< the links
    Time m_interval;                                //!< attribute Interval
    Time m_timeConstant;                            //!< attribute TimeConstant
    double m_hysteresis{0};                         //!< attribute Hysteresis
    Time m_updateInterval;                          //!< attribute UpdateInterval
    EventId m_event;                                //!< the next sample
    uint64_t m_nUpdates{0};                         //!< of all links
    TracedCallback<uint32_t, double> m_updateTrace; //!< trace source Update
};

} // namespace ns3::aidc

#endif // AIDC_LINK_BANDWIDTH_MONITOR_H
