/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_IP_TUNNEL_ATTRIBUTES_H
#define AIDC_IP_TUNNEL_ATTRIBUTES_H

#include "../core/tunnel/ip-tunnel-headers.h"
#include "../settings-accessor.h"

#include "ns3/enum.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Add the attributes of a tunnel's headers to those of its device.
 * @tparam C the class of the device
 * @param tid the TypeId of the device
 * @param rules the member that says how headers are treated
 * @param shim the member that says what is between them
 * @return the TypeId
 */
template <typename C>
TypeId
AddIpTunnelAttributes(TypeId tid, IpTunnelRules C::* rules, TunnelShim C::* shim)
{
    using Ecn = TunnelEcn;
    using Rules = IpTunnelRules;
    using Shim = TunnelShim;
    using IngressValue = decltype(EnumValue(Ecn::NORMAL));
    using EgressValue = decltype(EnumValue(Ecn::RFC_6040));
    using FieldModelValue = decltype(EnumValue(Rules::PIPE));
    using EncapsulationValue = decltype(EnumValue(Shim::IP_IN_IP));
    constexpr uint32_t MAX_VNI = 0xffffff;
    return tid
        .AddAttribute(
            "Encapsulation",
            "What is between the outer and the inner header (RFC 2003, RFC 2784, RFC "
            "7348), the same at both ends; set before installation.",
            EnumValue(Shim::IP_IN_IP),
            MakeSettingsAccessor<EncapsulationValue>(shim, &Shim::encapsulation),
            MakeEnumChecker(Shim::IP_IN_IP, "IpInIp", Shim::GRE, "Gre", Shim::VXLAN, "Vxlan"))
        .AddAttribute("GreKey",
                      "The key of Encapsulation Gre (RFC 2890), a number, the same at both ends; "
                      "0 for none; set before installation.",
                      UintegerValue(0),
                      MakeSettingsAccessor<UintegerValue>(shim, &Shim::greKey),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("Vni",
                      "The VXLAN network identifier of Encapsulation Vxlan, the same at both ends; "
                      "set before installation.",
                      UintegerValue(0),
                      MakeSettingsAccessor<UintegerValue>(shim, &Shim::vni),
                      MakeUintegerChecker<uint32_t>(0, MAX_VNI))
        .AddAttribute("IngressMode",
                      "The ECN field that packets enter with (RFC 6040, section 4.1).",
                      EnumValue(Ecn::NORMAL),
                      MakeSettingsAccessor<IngressValue>(rules, &Rules::ingress),
                      MakeEnumChecker(Ecn::NORMAL, "Normal", Ecn::COMPATIBILITY, "Compatibility"))
        .AddAttribute("EgressMode",
                      "How an outer ECT(1) leaves the tunnel: copied (RFC 6040, section 4.2), "
                      "or not (section 3.2.2.1 of the draft).",
                      EnumValue(Ecn::RFC_6040),
                      MakeSettingsAccessor<EgressValue>(rules, &Rules::egress),
                      MakeEnumChecker(Ecn::RFC_6040, "Rfc6040", Ecn::PIPE_FOR_ECT_1, "PipeForEct1"))
        .AddAttribute("TtlModel",
                      "Whether the TTL counts the hops in the tunnel (Uniform) or not (Pipe).",
                      EnumValue(Rules::PIPE),
                      MakeSettingsAccessor<FieldModelValue>(rules, &Rules::ttlModel),
                      MakeEnumChecker(Rules::UNIFORM, "Uniform", Rules::PIPE, "Pipe"))
        .AddAttribute("Ttl",
                      "The outer TTL, in hops, of TtlModel Pipe.",
                      UintegerValue(64),
                      MakeSettingsAccessor<UintegerValue>(rules, &Rules::ttl),
                      MakeUintegerChecker<uint8_t>(1))
        .AddAttribute("DscpModel",
                      "Whether both headers have one DSCP, and what is changed in the tunnel "
                      "comes out of it (Uniform), or each has its own (Pipe).",
                      EnumValue(Rules::UNIFORM),
                      MakeSettingsAccessor<FieldModelValue>(rules, &Rules::dscpModel),
                      MakeEnumChecker(Rules::UNIFORM, "Uniform", Rules::PIPE, "Pipe"))
        .AddAttribute("Dscp",
                      "The outer DSCP of DscpModel Pipe.",
                      UintegerValue(0),
                      MakeSettingsAccessor<UintegerValue>(rules, &Rules::dscp),
                      MakeUintegerChecker<uint8_t>(0, 63));
}

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_ATTRIBUTES_H
