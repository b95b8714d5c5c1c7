// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-registry.h"

#include "scenario-error.h"

#include <algorithm>
#include <cctype>

namespace ns3::aifabric
{

std::string
ToSnakeCase(const std::string& camelCase)
{
    // "1f1b" is no CamelCase.
    if (!camelCase.empty() && !std::isupper(static_cast<unsigned char>(camelCase[0])))
    {
        return camelCase;
    }
    std::string snake;
    bool digits = false;
    for (unsigned char c : camelCase)
    {
        bool digit = std::isdigit(c);
        bool starts = (std::isupper(c) && !digits) || (digit && !digits);
        if (starts && !snake.empty())
        {
            snake += '_';
        }
        digits = digit;
        snake += static_cast<char>(std::tolower(c));
    }
    return snake;
}

std::string
PluginId(TypeId type)
{
    std::string name = type.GetName();
    std::size_t colon = name.rfind(':');
    return ToSnakeCase(colon == std::string::npos ? name : name.substr(colon + 1));
}

std::vector<TypeId>
Plugins(TypeId family)
{
    std::vector<TypeId> found;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        TypeId type = TypeId::GetRegistered(i);
        if (type != family && type.IsChildOf(family) && type.HasConstructor())
        {
            found.push_back(type);
        }
    }
    std::sort(
        found.begin(), found.end(), [](TypeId a, TypeId b) { return PluginId(a) < PluginId(b); });
    return found;
}

std::vector<std::string>
PluginIds(TypeId family)
{
    std::vector<std::string> ids;
    for (TypeId type : Plugins(family))
    {
        ids.push_back(PluginId(type));
    }
    return ids;
}

TypeId
FindPlugin(TypeId family, const std::string& id)
{
    for (TypeId type : Plugins(family))
    {
        if (PluginId(type) == id)
        {
            return type;
        }
    }
    throw ScenarioError("",
                        "unknown " +
                            ToSnakeCase(family.GetName().substr(family.GetName().rfind(':') + 1)) +
                            " '" + id + "'" + SuggestFrom(id, PluginIds(family)));
}

Ptr<Object>
CloneAttributes(const Object& model)
{
    ObjectFactory factory;
    factory.SetTypeId(model.GetInstanceTypeId());
    for (TypeId type = model.GetInstanceTypeId();; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            TypeId::AttributeInformation attribute = type.GetAttribute(i);
            if (attribute.accessor->HasGetter() && attribute.accessor->HasSetter())
            {
                Ptr<AttributeValue> value = attribute.checker->Create();
                model.GetAttribute(attribute.name, *value);
                factory.Set(attribute.name, *value);
            }
        }
        if (type == Object::GetTypeId())
        {
            return factory.Create<Object>();
        }
    }
}

} // namespace ns3::aifabric
