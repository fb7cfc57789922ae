// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_SIGNAL_H
#define AIDC_CSIG_SIGNAL_H

#include "csig-fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// @file
/// The signals of CSIG, and how a device writes its value into a tag: sections 4.1.3 and 5 of
/// draft-ravi-ippm-csig-01 (February 2024), "the draft". Also the texts of users.
///
/// The text of a value is a decimal number and a unit without a space between: bps, Kbps, Mbps,
/// Gbps or Tbps for available bandwidth; % or ppm for its share; ns, us, ms or s for delays and
/// depths. 0 needs no unit. A value must be a whole number of bit/s, millionths or ns, and is never
/// rounded.

namespace ns3::aidc
{

/// The signals that a tag can request. Measured values are whole numbers of the unit named here.
enum class CsigSignal : uint8_t
{
    ABW,        //!< min(ABW), available bandwidth in bit/s (section 5.1)
    ABW_RATIO,  //!< min(ABW/C), available share of the capacity in millionths (section 5.3)
    HOP_DELAY,  //!< max(PD), delay of the packet in the device in ns (section 5.4)
    QUEUE_DEPTH //!< max(nQD), depth of the egress queue in ns at the speed of its port. Not of the
                //!< draft but of the Open Compute Project's proposal "Congestion Signaling SAI
                //!< Specification" (May 2025)
};

/// How many signals there are.
constexpr std::size_t CSIG_SIGNALS = 4;

/// Which of the values along a path a tag keeps.
enum class CsigAggregation : uint8_t
{
    MIN, //!< the smallest: less is more congested
    MAX  //!< the largest: more is more congested
};

/// @param signal the signal
/// @return its aggregation: minimum for available bandwidth, maximum for delay and depth
constexpr CsigAggregation
GetCsigAggregation(CsigSignal signal)
{
    return signal == CsigSignal::ABW || signal == CsigSignal::ABW_RATIO ? CsigAggregation::MIN
                                                                        : CsigAggregation::MAX;
}

/// @param signal the signal
/// @return its name: "min(ABW)", "min(ABW/C)", "max(PD)" or "max(nQD)"
const char* GetCsigName(CsigSignal signal);

/// @return the unit of a signal's values: "bit/s", "ppm" or "ns"
const char* GetCsigUnit(CsigSignal signal);

/// Get the initial value of a host, which every device may replace.
///
/// Section 4.1.3: 0 for a maximum; for a minimum, the largest value of the format, even if fewer
/// buckets are configured, so that hosts need not know the buckets.
/// @param aggregation the aggregation
/// @param format the format
/// @return the code
constexpr uint32_t
GetCsigInitialValue(CsigAggregation aggregation, CsigFormat format)
{
    return aggregation == CsigAggregation::MIN ? GetCsigMaxValue(format) : 0;
}

/// The largest type code that both formats can carry.
constexpr uint8_t CSIG_MAX_COMPACT_TYPE = GetCsigMaximum(GetCsigWidths(CsigFormat::COMPACT).type);

/// The largest type code that the expanded format can carry.
constexpr uint8_t CSIG_MAX_TYPE = GetCsigMaximum(GetCsigWidths(CsigFormat::EXPANDED).type);

/// The type codes of signals on the wire, and extensions of the draft.
///
/// The type codes are from the draft's figures 1 and 2. Code 3 for the queue's depth is from the
/// proposal named at CsigSignal::QUEUE_DEPTH. None is registered, so all can be changed.
///
/// The do-not-update bit comes from the same proposal, where the device that trims a packet sets it
/// and later devices leave the tag alone. The choice of the bit is ours: the lowest bit of R.
struct CsigSignalSettings
{
    /// The type code of each signal, in the order of CsigSignal, from 0 to 7, and in domains with
    /// expanded tags to 15 (section 4.1.3).
    std::array<uint8_t, CSIG_SIGNALS> types{0, 1, 2, 3};
    bool queueDepth{false};  //!< whether the queue's depth is a signal at all
    bool doNotUpdate{false}; //!< whether the lowest bit of R means do not update

    /// Get the type code of a signal. @return T
    uint8_t GetType(CsigSignal signal) const
    {
        return types[static_cast<std::size_t>(signal)];
    }

    /// @param type T, any number
    /// @return its signal; none if the code is of no signal, or of one that is off
    std::optional<CsigSignal> Find(uint8_t type) const;

    /// @param fields the tag's fields
    /// @return whether the tag must not be changed: its do-not-update bit is in use and set
    bool IsFrozen(const CsigFields& fields) const
    {
        return doNotUpdate && (fields.reserved & DO_NOT_UPDATE) != 0;
    }

    /// The do-not-update bit in R.
    static constexpr uint8_t DO_NOT_UPDATE = 0x1;
};

/// Check the settings of the signals. @throws std::invalid_argument if a type code does not fit
/// four bits, or two signals have the same
void CheckCsigSignals(const CsigSignalSettings& settings);

/// Check that a sender can request signals. sender: the name of its class, for the error; format:
/// the format of its tags. @throws std::invalid_argument if a signal is off, or the format cannot
/// carry its type code
void CheckCsigRequests(const std::string& sender,
                       const std::vector<CsigSignal>& signals,
                       CsigFormat format,
                       const CsigSignalSettings& settings);

/// Make the fields by which a sender requests a signal (section 4.1.3).
/// @param format the format; a compact tag cannot carry types above CSIG_MAX_COMPACT_TYPE
/// @param signal the signal
/// @param settings the type codes
/// @return the fields with the signal's initial value, and R and LM 0
CsigFields MakeCsigRequest(CsigFormat format,
                           CsigSignal signal,
                           const CsigSignalSettings& settings = {});

/// Write the value of a device into a tag if the device is the bottleneck so far.
///
/// Both values are compared after quantization (sections 5.3.3 and 5.4.2). Section 4.1.3: a device
/// that does not update S MUST NOT alter LM, and one that updates S MUST update LM. T and R are
/// never altered. If the values are equal, the tag keeps the locator of the first bottleneck.
/// @param fields the tag's fields
/// @param aggregation the aggregation of the signal that the tag asks for
/// @param value the quantized value of this device
/// @param locator this device's LM
/// @return whether S and LM were replaced
inline bool
CompareAndReplaceCsig(CsigFields& fields,
                      CsigAggregation aggregation,
                      uint32_t value,
                      uint16_t locator)
{
    const bool isWorse =
        aggregation == CsigAggregation::MIN ? value < fields.value : value > fields.value;
    if (isWorse)
    {
        fields.value = value;
        fields.locator = locator;
    }
    return isWorse;
}

/// Read a value, as "2.5Gbps", "12.5%" or "10us". Spaces around it do not matter.
/// @return the value in the signal's unit
/// @throws std::invalid_argument if it is no such text; says what was expected and what was found
uint64_t ParseCsigValue(CsigSignal signal, const std::string& text);

/// @return a text of a value that ParseCsigValue reads back, with the largest unit that needs no
///         fraction. value: in the signal's unit.
std::string FormatCsigValue(CsigSignal signal, uint64_t value);

/// Read values with commas between. what: their name, for errors; most: how many there may be; one
/// more is read, and the rest is not.
/// @throws std::invalid_argument if one is no value; says which, counted from 0
std::vector<uint64_t> ParseCsigValues(CsigSignal signal,
                                      const char* what,
                                      const std::string& text,
                                      std::size_t most);

/// Read a list of signals by their names (GetCsigName), separated by commas without spaces, as
/// "min(ABW),max(PD)". @return the signals, at least one
/// @throws std::invalid_argument if it is no such text; says what was expected and what was found
std::vector<CsigSignal> ParseCsigSignals(const std::string& text);

/// @return a text of signals that ParseCsigSignals reads back
std::string FormatCsigSignals(const std::vector<CsigSignal>& signals);

} // namespace ns3::aidc

#endif // AIDC_CSIG_SIGNAL_H
