// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_SIGNALS_H
#define AIDC_PATH_SIGNALS_H

#include "core/csig/csig-quantizer.h"

#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

struct FrameContext;

/// Carries signals of the path in the frames of a host's transport, and back to the sender.
///
/// Decouples transports from tag formats.
class PathSignals : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aidc::PathSignals").SetParent<Object>().SetGroupName("Aidc");
        return tid;
    }

    /// A frame with data that is to be sent.
    struct Request
    {
        uint32_t flow{0};                 //!< the number of its flow
        std::optional<uint32_t> position; //!< its position in the flow, which answers acknowledge;
                                          //!< none if they do not
        bool isRepeat{false};             //!< whether it has been sent before
    };

    /// An answer that has arrived.
    struct Answer
    {
        uint32_t flow{0};         //!< the number of the flow that it answers
        uint32_t acknowledged{0}; //!< the position up to which the receiver has everything
    };

    /// Ask for a signal of the path of a frame with data, if the path carries signals. context: the
    /// frame's context, which is given a tag.
    virtual void Tag(FrameContext& context, const Request& request) = 0;

    /// Get what is to be sent back of a frame that has arrived. bytes: what to send back; size: the
    /// room there. @return the bytes that were written, 0 for none
    virtual std::size_t Reflect(const FrameContext& context, uint8_t* bytes, std::size_t size) = 0;

    /// Read what was sent back. answer: what it came in; bytes: what has arrived, any; size: the
    /// bytes, 0 if nothing was sent back. @return the signal; none if the bytes say none
    virtual std::optional<CsigReading> Read(const Answer& answer,
                                            const uint8_t* bytes,
                                            std::size_t size) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_PATH_SIGNALS_H
