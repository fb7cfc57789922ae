// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CHAKRA_BYTES_H
#define AIDC_CHAKRA_BYTES_H

#include "model/core/workload/chakra-trace.h"
#include "test/core/core-test.h"

// Chakra traces as bytes, for the tests of the core.

namespace aidctest
{

// Written by the protobuf library of Google, of the schema of MLCommons Chakra
/// The GlobalMetadata of version 0.0.4.
inline const std::string METADATA = "070a05302e302e34";
/// A computation of 10 us.
inline const std::string COMPUTATION = "171201631804380a520e0a0969735f6370755f6f70d80100";
/// An all-reduce of 4 MiB in the process group "1", behind it.
inline const std::string COLLECTIVE =
    "4c08ac021202617218072a0100520e0a0969735f6370755f6f70d80100520d0a09636f6d6d5f7479706548005210"
    "0a09636f6d6d5f73697a654880808002520d0a0770675f6e616d65ea010131";
/// A message of 1 MiB from rank 0 to rank 1, behind both.
inline const std::string SEND =
    "4c08ad0212017318052202ac022a0300ac02520f0a09636f6d6d5f73697a6548808040520c0a08636f6d6d5f7372"
    "633800520c0a08636f6d6d5f6473743801520c0a08636f6d6d5f7461673807";

/// hex: hexadecimal digits.
inline std::vector<uint8_t>
GetBytes(const std::string& hex)
{
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

/// hex: its bytes in hexadecimal digits.
inline ns3::aidc::ChakraTrace
Decode(const std::string& hex)
{
    const auto bytes = GetBytes(hex);
    return ns3::aidc::DecodeChakraTrace(bytes.data(), bytes.size());
}

} // namespace aidctest

#endif // AIDC_CHAKRA_BYTES_H
