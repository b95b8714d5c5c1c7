// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_COMPAT_H
#define AIFABRIC_FABRIC_COMPAT_H

#include "ns3/enum.h"
#include "ns3/event-id.h"
#include "ns3/simulator-impl.h"
#include "ns3/test.h"

#include <type_traits>
#include <utility>

/**
 * @file
 * What differs between the releases of ns-3 from 3.37 on, found out by asking the compiler: there is
 * no version macro to rely on.
 */

namespace ns3::aifabric::compat
{

/// TestSuite::UNIT became TestSuite::Type::UNIT in 3.42.
template <class S, class = void>
struct SuiteType
{
    static constexpr auto kUnit = S::UNIT;
    static constexpr auto kSystem = S::SYSTEM;
};

template <class S>
struct SuiteType<S, std::void_t<decltype(S::Type::ALL)>>
{
    static constexpr auto kUnit = S::Type::UNIT;
    static constexpr auto kSystem = S::Type::SYSTEM;
};

/// TestCase::QUICK became TestCase::Duration::QUICK in 3.42.
template <class C, class = void>
struct CaseDuration
{
    static constexpr auto kQuick = C::QUICK;
};

template <class C>
struct CaseDuration<C, std::void_t<typename C::Duration>>
{
    static constexpr auto kQuick = C::Duration::QUICK;
};

/// EventId::IsRunning became IsPending in 3.42.
template <class E>
auto
IsPending(const E& e, int) -> decltype(e.IsPending())
{
    return e.IsPending();
}

template <class E>
bool
IsPending(const E& e, long)
{
    return e.IsRunning();
}

/// MakeEnumAccessor takes the enumeration as a template argument since 3.40.
template <class E, class M>
auto
EnumAccessor(M member, int) -> decltype(MakeEnumAccessor<E>(member))
{
    return MakeEnumAccessor<E>(member);
}

template <class E, class M>
auto
EnumAccessor(M member, long) -> decltype(MakeEnumAccessor(member))
{
    return MakeEnumAccessor(member);
}

/// SimulatorImpl::Stop(Time) returns an EventId from 3.41 on, nothing before.
using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

} // namespace ns3::aifabric::compat

#endif // AIFABRIC_FABRIC_COMPAT_H
