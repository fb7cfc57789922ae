// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_NUMBERS_H
#define AIDC_FABRIC_NUMBERS_H

#include "model/core/fabric/fabric-elements.h"
#include "test/core/core-test.h"

#include <initializer_list>

// Nodes, ports and links of a plan by their numbers, for the tests of the core.

namespace aidctest
{

inline std::vector<NodeIndex>
Nodes(std::initializer_list<uint32_t> numbers)
{
    return {numbers.begin(), numbers.end()};
}

inline std::vector<PortIndex>
Ports(std::initializer_list<uint32_t> numbers)
{
    return {numbers.begin(), numbers.end()};
}

/// A link of a graph.
inline FabricLink
Link(uint32_t a, uint32_t b, uint64_t rate = 100000000000)
{
    FabricLink link;
    link.a = NodeIndex(a);
    link.b = NodeIndex(b);
    link.rate = rate;
    return link;
}

} // namespace aidctest

#endif // AIDC_FABRIC_NUMBERS_H
