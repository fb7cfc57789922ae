/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MIRRORED_ATTRIBUTES_H
#define AIDC_MIRRORED_ATTRIBUTES_H

#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Give a type the attributes and trace sources of an object that each of its objects has.
 *
 * So they are declared once. Attributes keep their defaults; a name that the type or a parent has
 * already is left alone.
 *
 * @param tid the type
 * @param part the type of the part
 * @param base a parent of part, whose attributes and trace sources are not taken
 * @param getPart finds the part of an object; null if the object is of another class
 * @return the type
 */
TypeId MirrorAttributes(TypeId tid, TypeId part, TypeId base, Object* (*getPart)(ObjectBase*));

/**
 * @ingroup aidc
 * @brief Refuse what a user has set as default of a mirrored attribute, which would have no effect:
 *        the defaults are those of the type that mirrors it. Ends the program.
 * @param part the type of the part
 * @param base a parent of part, whose attributes are not mirrored
 * @param mirror the type that mirrors it
 */
void RefuseMirroredDefaults(TypeId part, TypeId base, TypeId mirror);

} // namespace ns3::aidc

#endif // AIDC_MIRRORED_ATTRIBUTES_H
