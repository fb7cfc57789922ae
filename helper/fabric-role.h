/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ROLE_H
#define AIDC_FABRIC_ROLE_H

#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What a node of a FabricHelper is, so that helpers refuse nodes that they are not for.
class FabricRole : public Object
{
  public:
    /// What a node is.
    enum Role
    {
        HOST,  //!< a host
        SWITCH //!< a switch
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Give a node its role.
    /// @param node the node, which has none
    /// @param role the role
    static void Set(Ptr<Node> node, Role role);

    /// Check that a node may be what a helper makes of it.
    /// @param node the node
    /// @param role what it has to be, if it is a node of a fabric
    /// @param helper the name of the helper, for the error
    /// @throws AidcInputError if it has the other role
    static void Check(Ptr<Node> node, Role role, const std::string& helper);

  private:
    Role m_role{HOST}; //!< what the node is
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ROLE_H
