// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_WORK_H
#define AIDC_ROCE_WORK_H

#include <cstdint>

/// @file
/// The requests and results of a user of a reliable connection, in the terms of verbs.

namespace ns3::aidc
{

/// The settings of a connection, the same at both ends.
struct RoceSettings
{
    /// How lost packets are sent again.
    enum Recovery : uint8_t
    {
        GO_BACK_N,       //!< the receiver discards packets out of order, the sender goes back
        SELECTIVE_REPEAT //!< the receiver keeps them, the sender repeats missing ones (IRN,
                         //!< SIGCOMM'18)
    };

    uint32_t pathMtu{4096};       //!< bytes of payload of a full packet
    uint32_t ackInterval{16};     //!< an acknowledgment is asked for every so many packets
    uint32_t maxPackets{4096};    //!< packets that may be unacknowledged, below 2^23
    uint32_t maxReads{16};        //!< requests to read that may be unanswered
    uint8_t retryCount{7};        //!< attempts without progress before an error, 0 to 7
    uint8_t rnrRetry{7};          //!< the same while the receiver is not ready; 7 is forever
    uint8_t rnrTimer{12};         //!< a code of time: the wait that a receiver asks for
    Recovery recovery{GO_BACK_N}; //!< how lost packets are sent again
    /// With selective repeat, packets that may overtake another one before it counts as lost.
    uint32_t reorderWindow{0};
};

/// What a work request does.
enum class RoceOperation : uint8_t
{
    SEND,  //!< send a message to a receive request of the peer
    WRITE, //!< write into the peer's memory
    READ   //!< read from the peer's memory
};

/// A work request: a message to be sent or read.
struct RoceWork
{
    uint64_t id{0};                                //!< identifies it for the user
    uint64_t nBytes{0};                            //!< bytes, up to 2^31 as of InfiniBand
    uint64_t remoteAddress{0};                     //!< address in the peer's memory, unless SEND
    uint32_t remoteKey{0};                         //!< key of that memory
    uint32_t immediate{0};                         //!< immediate data, if hasImmediate
    bool hasImmediate{false};                      //!< whether it has immediate data; not for READ
    RoceOperation operation{RoceOperation::WRITE}; //!< what to do
};

/// The largest message in bytes.
constexpr uint64_t ROCE_MAX_MESSAGE = uint64_t{1} << 31;

/// How a work request has ended.
enum class RoceStatus : uint8_t
{
    SUCCESS,
    RETRY_EXCEEDED,           //!< the peer has not answered
    RNR_RETRY_EXCEEDED,       //!< the peer has had no receive request
    REMOTE_INVALID_REQUEST,   //!< the peer has found the request wrong
    REMOTE_ACCESS_ERROR,      //!< this access to the peer's memory is not allowed
    REMOTE_OPERATIONAL_ERROR, //!< the peer has failed
    FLUSHED                   //!< an earlier one has ended with an error
};

/// The names of RoceStatus.
constexpr const char* ROCE_STATUS_NAMES[] = {"success",
                                             "retry exceeded",
                                             "RNR retry exceeded",
                                             "remote invalid request",
                                             "remote access error",
                                             "remote operational error",
                                             "flushed"};

/// @param status the status @return its name in lower case, such as "retry exceeded"
constexpr const char*
GetRoceStatusName(RoceStatus status)
{
    return ROCE_STATUS_NAMES[static_cast<uint8_t>(status)];
}

/// The completion of a work request. Completions come in the order of posting.
struct RoceCompletion
{
    uint64_t id{0};                                //!< RoceWork::id
    uint64_t nBytes{0};                            //!< RoceWork::nBytes
    RoceOperation operation{RoceOperation::WRITE}; //!< RoceWork::operation
    RoceStatus status{RoceStatus::SUCCESS};        //!< how it has ended
};

/// A message of the peer that has arrived as a whole.
struct RoceDelivery
{
    uint64_t nBytes{0};                            //!< its bytes
    uint32_t immediate{0};                         //!< immediate data, if hasImmediate
    bool hasImmediate{false};                      //!< whether it has immediate data
    RoceOperation operation{RoceOperation::WRITE}; //!< SEND or WRITE
};

/// Get the number of packets of a message.
/// @param nBytes the bytes of the message
/// @param pathMtu the payload of a full packet in bytes
/// @return packets, at least one
constexpr uint64_t
GetRocePackets(uint64_t nBytes, uint32_t pathMtu)
{
    return nBytes == 0 ? 1 : (nBytes + pathMtu - 1) / pathMtu;
}

} // namespace ns3::aidc

#endif // AIDC_ROCE_WORK_H
