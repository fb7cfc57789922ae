// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_ROCE_CHANNEL_H
#define AIDC_TEST_ROCE_CHANNEL_H

#include "model/core/transport/roce-bytes.h"
#include "model/core/transport/roce-requester.h"
#include "model/core/transport/roce-responder.h"
#include "roce-frames.h"

namespace ns3::aidc
{

/// A requester, its peer's responder, and two channels between them that may lose and delay. What
/// they send goes through its bytes, which leave nothing out.
class RoceChannel
{
  public:
    static constexpr uint32_t OVERHEAD = 82;
    static constexpr uint64_t NO_WINDOW = std::numeric_limits<uint64_t>::max();

    RoceChannel(const RoceSettings& settings, uint32_t firstPsn)
        : requester(settings, 17, firstPsn, OVERHEAD),
          responder(settings, 18, firstPsn, regions)
    {
        regions.Register(0, std::numeric_limits<uint64_t>::max());
    }

    /// Runs until nothing is to be done any more, or for so many steps.
    void Run(uint64_t maxSteps = 200000)
    {
        uint64_t quiet = 0;
        for (uint64_t step = 0; step < maxSteps && HasWork(); ++step)
        {
            const auto before = requester.GetUnacknowledged();
            Step();
            quiet = requester.GetUnacknowledged() == before ? quiet + 1 : 0;
            if (quiet >= timeout && requester.HasOutstanding())
            {
                requester.HandleTimeout(completions);
                ++nTimeouts;
                quiet = 0;
            }
        }
    }

    /// Tells whether there are work requests that have not ended.
    bool HasWork() const
    {
        return completions.size() < nPosted;
    }

    /// Posts a work request; false if the connection has failed.
    bool Post(const RoceWork& work)
    {
        const bool isPosted = requester.Post(work);
        nPosted += isPosted ? 1 : 0;
        return isPosted;
    }

    /// One packet each way.
    void Step()
    {
        if (wait > 0 && --wait == 0)
        {
            requester.Resume();
            onResume();
        }
        if (requester.HasPacket(window))
        {
            const auto outgoing = requester.TakePacket(window);
            ++nSent;
            nRepeated += outgoing.isRetransmission ? 1 : 0;
            if (!isLost(outgoing.packet))
            {
                forward.push_back(PassBytes(outgoing.packet));
            }
        }
        if (forward.size() > delay || (!forward.empty() && !requester.HasPacket(window)))
        {
            const auto packet = forward.front();
            forward.pop_front();
            Reply(responder.HandleRequest(packet, deliveries));
        }
        if (responder.HasReadResponse())
        {
            Reply(responder.TakeReadResponse());
            Reply(responder.TakeDeferred());
        }
        if (!backward.empty())
        {
            const auto packet = backward.front();
            backward.pop_front();
            Answer(packet);
        }
    }

    void Answer(const RocePacket& packet)
    {
        const auto progress = packet.opcode == RoceOpcode::ACKNOWLEDGE
                                  ? requester.HandleAcknowledgment(packet, completions)
                                  : requester.HandleReadResponse(packet, completions);
        const bool isResponse = packet.opcode != RoceOpcode::ACKNOWLEDGE;
        nRead += isResponse && progress.nPackets > 0 ? packet.payloadSize : 0;
        if (!progress.isReceiverReady)
        {
            wait = 10;
        }
    }

    RoceMemoryRegions regions;
    RoceRequester requester;
    RoceResponder responder;
    std::vector<RoceCompletion> completions;
    std::vector<RoceDelivery> deliveries;
    std::deque<RocePacket> forward;
    std::deque<RocePacket> backward;
    std::function<bool(const RocePacket&)> isLost = [](const RocePacket&) { return false; };
    std::function<void()> onResume = [] {};
    uint64_t window{NO_WINDOW};
    uint64_t timeout{200};
    std::size_t delay{4};
    uint64_t wait{0};
    std::size_t nPosted{0};
    uint64_t nRead{0};
    uint64_t nSent{0};
    uint64_t nRepeated{0};
    uint64_t nTimeouts{0};
    uint64_t nSequenceErrors{0};

  private:
    void Reply(const std::optional<RocePacket>& packet)
    {
        nSequenceErrors +=
            packet && packet->opcode == RoceOpcode::ACKNOWLEDGE && packet->syndrome == 0x60 ? 1 : 0;
        if (packet && !isLost(*packet))
        {
            backward.push_back(PassBytes(*packet));
        }
    }

    /// What a packet is after it has been bytes: itself.
    static RocePacket PassBytes(const RocePacket& packet)
    {
        std::array<uint8_t, ROCE_MAX_HEADER_SIZE> bytes;
        const std::size_t nBytes = EncodeRoce(packet, bytes.data());
        RocePacket decoded;
        EXPECT_EQ(DecodeRoce(bytes.data(), nBytes, GetRoceSize(packet), decoded), RoceResult::OK);
        EXPECT_TRUE(aidctest::IsSamePacket(packet, decoded));
        return decoded;
    }
};

} // namespace ns3::aidc

#endif // AIDC_TEST_ROCE_CHANNEL_H
