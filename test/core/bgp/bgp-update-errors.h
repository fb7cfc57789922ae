// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_UPDATE_ERRORS_H
#define AIDC_BGP_UPDATE_ERRORS_H

#include "bgp-messages.h"
#include "model/core/bgp/bgp-attribute-table.h"
#include "model/core/bgp/bgp-update.h"

// UPDATEs with errors, in parts, and how to check what becomes of them.

namespace aidctest::bgp
{

/// Short names of the actions
constexpr auto NONE = BgpErrorAction::NONE;
constexpr auto DISCARD = BgpErrorAction::ATTRIBUTE_DISCARD;
constexpr auto WITHDRAW = BgpErrorAction::TREAT_AS_WITHDRAW;
constexpr auto RESET = BgpErrorAction::SESSION_RESET;

// Attributes without errors, of AS 65001 in four octets
inline const std::string ORIGIN = "40010100 ";
inline const std::string AS_PATH = "4002060201 0000fde9 ";
inline const std::string NEXT_HOP = "400304 0a000102 ";
inline const std::string MANDATORY = ORIGIN + AS_PATH + NEXT_HOP;
inline const std::string LOCAL_PREF = "400504 00000064 ";
inline const std::string MP_REACH = "800e0c 0001 01 04 0a000102 00 10 0a09 "; // 10.9.0.0/16
inline const std::string MP_UNREACH = "800f06 0001 01 10 0a08 ";              // 10.8.0.0/16

inline const std::string ROUTE = "080a"; // 10.0.0.0/8

/// attributes: its path attributes, in hexadecimal digits. announced: its announced routes, in
/// hexadecimal digits.
inline BgpUpdateResult
DecodeRoutes(const std::string& attributes,
             const std::string& announced = ROUTE,
             const BgpSessionTerms& session = {})
{
    const BgpBytes body = MakeUpdateBody({}, ParseHex(attributes), ParseHex(announced));
    return DecodeBgpUpdate(body.data(), body.size(), session);
}

/// Attributes, and what becomes of them.
struct ErrorCase
{
    std::string attributes; //!< all of them
    BgpErrorAction action;  //!< what is done
};

/// Check that each case has its action, a single fault of its type, and the routes it leaves.
inline void
CheckErrors(const std::vector<ErrorCase>& cases, uint8_t type, const BgpSessionTerms& session = {})
{
    for (const ErrorCase& row : cases)
    {
        SCOPED_TRACE(row.attributes);
        const BgpUpdateResult result = DecodeRoutes(row.attributes, ROUTE, session);
        EXPECT_EQ(result.action, row.action);
        ASSERT_EQ(result.faults.size(), row.action == NONE ? 0U : 1U);
        if (row.action != NONE)
        {
            EXPECT_EQ(result.faults[0].type, type);
            EXPECT_EQ(result.faults[0].action, row.action);
        }
        const std::vector<BgpPrefix> route{{0x0a000000, 8}};
        const bool isKept = row.action == NONE || row.action == DISCARD;
        EXPECT_EQ(result.update.announced == route, isKept);
        EXPECT_EQ(result.update.withdrawn == route, row.action == WITHDRAW);
    }
}

inline BgpSessionTerms
Internal()
{
    return MakeSession(true, BgpPeerType::INTERNAL);
}

} // namespace aidctest::bgp

#endif // AIDC_BGP_UPDATE_ERRORS_H
