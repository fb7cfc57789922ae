// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_CHANNEL_H
#define AIDC_ETHERNET_CHANNEL_H

#include "../core/cache-line.h"
#include "ethernet-frame.h"

#include "ns3/channel.h"
#include "ns3/event-id.h"
#include "ns3/mpi-processes.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// An end of a link, as the link sees it: an EthernetNetDevice.
class EthernetPort : public NetDevice
{
  public:
    /// Set the address of the other end. @param address the address
    virtual void SetRemoteAddress(const Address& address) = 0;

    /// Take a frame from the link. frame: the frame, whose last bit has arrived; unusable
    /// afterwards; epoch: GetLinkEpoch() when it was sent.
    virtual void Receive(EthernetFrame& frame, uint32_t epoch) = 0;

    /// Note that the link has failed or was restored. @param isFailed whether it has failed
    virtual void NotifyLinkFailed(bool isFailed) = 0;

    /// Notice the state of the link, after a delay. @param isUp whether the link is up
    virtual void NotifyLinkState(bool isUp) = 0;
};

/// A full-duplex link of exactly two EthernetNetDevices.
///
/// A link that fails loses the frames that are on it, and the frames that are sent until it is
/// restored. Its ends notice after DetectionDelay, when their IsLinkUp() changes. They do not
/// notice a shorter failure.
///
/// Its ends may be simulated by two processes (MpiProcesses). Each process has both ends: it sends
/// by its own end, and the end of the other process gets nothing. A failure is to be scheduled in
/// both processes, as all events without a node are.
class alignas(CACHE_LINE) EthernetChannel : public Channel, public RemoteLink
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Attach an end. Both ends come up when the second one is attached. A third one is refused.
    void Attach(Ptr<EthernetPort> device);

    /// Tell each end the address of the other one, after a change.
    void ExchangeAddresses();

    /// Carry a frame. frame: the frame, which belongs to the other end afterwards; end: the sending
    /// end, 0 or 1; epoch: GetLinkEpoch() of that end; it is the same at the other end; duration:
    /// the time until its last bit has left that end.
    void Carry(EthernetFrame& frame, uint32_t end, uint32_t epoch, Time duration);

    /// Fail the link; called by an event without a node: it changes both ends at once, which in
    /// time windows (TimeWindowSimulatorImpl) an event of one node must not do.
    void Fail()
    {
        SetFailed(true);
    }

    /// Restore the link; called by an event without a node.
    void Restore()
    {
        SetFailed(false);
    }

    /// @return whether the link has failed and is not restored yet, even if no end has noticed
    bool IsFailed() const
    {
        return m_isFailed;
    }

    /// @return the propagation delay
    Time GetDelay() const
    {
        return m_delay;
    }

    // From Channel
    std::size_t GetNDevices() const override;

    Ptr<NetDevice> GetDevice(std::size_t i) const override
    {
        return m_devices.at(i);
    }

    // From RemoteLink
    void Receive(uint32_t end, const uint8_t* bytes, std::size_t size) override;

    /// TracedCallback signature for a frame on the link.
    /// @param [in] frame the frame
    /// @param [in] sender the sending device
    /// @param [in] receiver the receiving device
    /// @param [in] duration the time until the last bit has left the sender
    /// @param [in] arrival the time until the last bit arrives
    typedef void (*FrameTracedCallback)(Ptr<const Packet> frame,
                                        Ptr<NetDevice> sender,
                                        Ptr<NetDevice> receiver,
                                        Time duration,
                                        Time arrival);

  protected:
    void DoDispose() override;

  private:
    /// Have a frame arrive at an end that another process simulates. end: the end that receives.
    void SendToProcess(uint32_t end, uint32_t epoch, const EthernetFrame& frame, Time delay);

    /// Fail or restore the link. @param isFailed whether it is to fail
    void SetFailed(bool isFailed);

    /// Tell the ends the state of the link.
    void Detect();

    /// An end.
    struct End
    {
        EthernetPort* device{nullptr}; //!< the device, which m_devices owns
        uint32_t node{0};              //!< the id of its node
    };

    // What a frame touches comes first.
    Time m_delay;              //!< attribute Delay
    bool m_isRemote{false};    //!< whether two processes simulate the ends
    std::array<End, 2> m_ends; //!< the ends
    TracedCallback<Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time>
        m_frameTrace; //!< trace of frames

    std::array<Ptr<EthernetPort>, 2> m_devices; //!< own the ends
    Time m_detectionDelay;                      //!< attribute DetectionDelay
    bool m_isFailed{false};                     //!< whether it has failed
    EventId m_detection;                        //!< when the ends notice the last change
    std::vector<uint8_t> m_bytes;               //!< memory for a frame to another process
};

/// A frame that crosses a link between processes.
struct RemoteFrame
{
    uint32_t epoch;      //!< the epoch of the link in which it was sent
    EthernetFrame frame; //!< the frame
};

/// Write a frame for another process, in the order of bytes of this machine: its parsed headers as
/// they are, and its ns-3 packet by Packet::Serialize(), with all tags. Payload of zeros takes no
/// bytes.
/// @param epoch the epoch of the link in which it is sent
/// @param frame the frame
/// @param [out] bytes the bytes
void WriteRemoteFrame(uint32_t epoch, const EthernetFrame& frame, std::vector<uint8_t>& bytes);

/// Read such a frame. size: the number of bytes. @return the frame
/// @throws std::runtime_error if they are not the bytes of a frame
RemoteFrame ReadRemoteFrame(const uint8_t* bytes, std::size_t size);

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_CHANNEL_H
