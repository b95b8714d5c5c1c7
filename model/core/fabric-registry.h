// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_REGISTRY_H
#define AIFABRIC_FABRIC_REGISTRY_H

#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-registry Registry
 * @ingroup ai-fabric
 *
 * ns-3's TypeId table is the list of what can be named in a scenario: a plug-in registers its
 * TypeId "ns3::aifabric::GoBackN" as a child of its family, and JSON, Python, `aifabric list` and
 * the schema know it by its id "go_back_n". There is no second list.
 */

/**
 * @ingroup ai-fabric-registry
 * @return snake_case of a CamelCase word: "HpccPint" is "hpcc_pint", "Torus3D" is "torus_3d". A word
 * that begins with no capital stays as it is: "1f1b".
 */
std::string ToSnakeCase(const std::string& camelCase);

/**
 * @ingroup ai-fabric-registry
 * @return the id of a registered type: snake_case of the last word of its name.
 */
std::string PluginId(TypeId type);

/**
 * @ingroup ai-fabric-registry
 * @return all types below family that can be constructed, sorted by id.
 */
std::vector<TypeId> Plugins(TypeId family);

/**
 * @ingroup ai-fabric-registry
 * @return the ids of Plugins(family).
 */
std::vector<std::string> PluginIds(TypeId family);

/**
 * @ingroup ai-fabric-registry
 * Finds a type by its id.
 * @throws ScenarioError (empty path) that names the valid ids when there is none of that id.
 */
TypeId FindPlugin(TypeId family, const std::string& id);

/**
 * @ingroup ai-fabric-registry
 * Makes an object of family T with default attributes.
 * @throws ScenarioError as FindPlugin.
 */
template <class T>
Ptr<T>
MakePlugin(const std::string& id)
{
    ObjectFactory factory;
    factory.SetTypeId(FindPlugin(T::GetTypeId(), id));
    return factory.Create<T>();
}

/**
 * @ingroup ai-fabric-registry
 * @return a new object of the same type, with the same values of all attributes that can be set.
 */
Ptr<Object> CloneAttributes(const Object& model);

/// As CloneAttributes, with the type that is known.
template <class T>
Ptr<T>
CloneObject(const T& model)
{
    return DynamicCast<T>(CloneAttributes(model));
}

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_REGISTRY_H
