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
 * @brief Give a type the attributes and trace sources of a part that each of its objects has, so
 *        that they are declared only once.
 *
 * Attributes keep their defaults. A name that the type or a parent already has is left alone.
 *
 * @param tid the type
 * @param part the type of the part
 * @param base a parent of part, whose attributes and trace sources are not taken
 * @param getPart finds the part of an object; null if the object is of another class
 * @return the type
 */
TypeId MirrorAttributes(TypeId tid, TypeId part, TypeId base, Object* (*getPart)(ObjectBase*));

/**
 * @brief Refuse that a user has set the default of a mirrored attribute at the part's type.
 *        This default would have no effect: the type that mirrors the attribute has its own.
 * @param part the type of the part
 * @param base a parent of part, whose attributes are not mirrored
 * @param mirror the type that mirrors it
 */
void RefuseMirroredDefaults(TypeId part, TypeId base, TypeId mirror);

} // namespace ns3::aidc

#endif // AIDC_MIRRORED_ATTRIBUTES_H
