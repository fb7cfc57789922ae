/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_JOB_MESSAGES_H
#define AIDC_JOB_MESSAGES_H

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace ns3::aidc
{

/// @ingroup aidc
/// What the process of a run, or a rank, tells the process that has started it
struct JobMessage
{
    /// What a message has
    enum Kind : char
    {
        REPORT = 'p', //!< how far it is
        RESULT = 'r', //!< its result
        ERROR = 'e',  //!< the text of an error
        LEFT = 'l',   //!< it has left because others have failed
        SIGNAL = 's', //!< the number of a signal that ends it
        READY = 'c'   //!< its results are whole, and it asks whether they may appear
    };

    Kind kind;        //!< what it has
    std::string text; //!< its text
};

/// @ingroup aidc
/// The ends of a pipe, which are closed with it
class JobPipe
{
  public:
    /// Constructor. @throws std::runtime_error if the system has no pipe
    JobPipe();

    ~JobPipe();

    JobPipe(const JobPipe&) = delete;
    JobPipe& operator=(const JobPipe&) = delete;

    /// @return the end to write to
    int GetIn() const
    {
        return m_ends[1];
    }

    /// @return the end to read from, which the caller closes
    int TakeOut()
    {
        return std::exchange(m_ends[0], -1);
    }

  private:
    std::array<int, 2> m_ends{-1, -1}; //!< to read from, to write to
};

/// @ingroup aidc
/// @param what what has failed
/// @throws std::runtime_error with that and the reason of the system
[[noreturn]] void ThrowSystemError(const std::string& what);

/// @ingroup aidc
/// @param message a message
/// @return its bytes
std::string EncodeJobMessage(const JobMessage& message);

/// @ingroup aidc
/// Send a message, or end this process if nobody listens.
/// @param end where to
/// @param message the message
void SendJobMessage(int end, const JobMessage& message);

/// @ingroup aidc
/// Read what there is.
/// @param [in,out] end the end of a pipe; closed, and -1 afterwards, if all is read
/// @param [in,out] text what is read is added to it
void ReadSome(int& end, std::string& text);

/// @ingroup aidc
/// Take the first message from what was read.
/// @param [in,out] bytes what was read, without the message afterwards
/// @return the message, if all of it was read
std::optional<JobMessage> TakeJobMessage(std::string& bytes);

} // namespace ns3::aidc

#endif // AIDC_JOB_MESSAGES_H
