// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ERROR_OF_H
#define AIFABRIC_ERROR_OF_H

#include "ns3/scenario-error.h"

#include <string>

namespace ns3::aifabric
{

/// @return what the ScenarioError says that call throws, or "no error".
template <class Call>
std::string
ErrorOf(const Call& call)
{
    try
    {
        call();
    }
    catch (const ScenarioError& error)
    {
        return error.what();
    }
    return "no error";
}

} // namespace ns3::aifabric

#endif // AIFABRIC_ERROR_OF_H
