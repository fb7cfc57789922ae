// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/aidc-module.h"
#include "ns3/core-module.h"

#include <iostream>
#include <map>
#include <string>

/**
 * @file
 * Prints the attributes and trace sources of the module's TypeIds as ns-3 knows them, a line each,
 * for tools/attributes.py, which makes doc/attributes.rst of them. With the argument --all it
 * prints those of ns-3, too, and a line for each TypeId, for tools/type_hints.py.
 */

using namespace ns3;

int
main(int argc, char* argv[])
{
    const bool isAll = argc > 1 && std::string(argv[1]) == "--all";
    const std::string module = isAll ? "ns3::" : "ns3::aidc::";
    std::map<std::string, TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto tid = TypeId::GetRegistered(i);
        if (tid.GetName().compare(0, module.size(), module) == 0)
        {
            types[tid.GetName()] = tid;
        }
    }
    for (const auto& [name, tid] : types)
    {
        const auto base = tid.GetParent().GetName();
        if (isAll)
        {
            std::cout << "type\t" << name << "\t" << base << "\n";
        }
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto attribute = tid.GetAttribute(i);
            const auto& checker = attribute.checker;
            const bool isSettable = attribute.flags & (TypeId::ATTR_CONSTRUCT | TypeId::ATTR_SET);
            std::cout << "attribute\t" << name << "\t" << base << "\t" << attribute.name << "\t"
                      << attribute.help << "\t" << checker->GetValueTypeName() << "\t"
                      << (checker->HasUnderlyingTypeInformation()
                              ? checker->GetUnderlyingTypeInformation()
                              : "")
                      << "\t"
                      << (isSettable ? attribute.originalInitialValue->SerializeToString(checker)
                                     : "read only")
                      << "\n";
        }
        for (std::size_t i = 0; i < tid.GetTraceSourceN(); ++i)
        {
            const auto trace = tid.GetTraceSource(i);
            std::cout << "trace\t" << name << "\t" << base << "\t" << trace.name << "\t"
                      << trace.help << "\t" << trace.callback << "\n";
        }
    }
}
