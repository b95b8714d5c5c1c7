// SPDX-License-Identifier: GPL-2.0-only
#include "text-checker.h"

#include "ns3/string.h"

namespace ns3::aifabric
{

Ptr<const AttributeChecker>
MakeTextChecker(const std::string& kinds)
{
    return MakeSimpleAttributeChecker<StringValue, StringChecker>("ns3::StringValue", kinds);
}

} // namespace ns3::aifabric
