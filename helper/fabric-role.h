// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_ROLE_H
#define AIDC_FABRIC_ROLE_H

#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3::aidc
{

/// The role of a node of a FabricHelper, so that helpers refuse nodes of the other role.
class FabricRole : public Object
{
  public:
    /// The roles.
    enum Role
    {
        HOST,  //!< a host
        SWITCH //!< a switch
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Give a node its role. node: the node, which has none.
    static void Set(Ptr<Node> node, Role role);

    /// Check that a node, if it is of a fabric, has the role that a helper expects.
    /// @throws AidcInputError with the name of the helper, if it has the other role
    static void Check(Ptr<Node> node, Role role, const std::string& helper);

  private:
    Role m_role{HOST}; //!< the role of the node
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ROLE_H
