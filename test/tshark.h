// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TSHARK_H
#define AIFABRIC_TSHARK_H

#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::aifabric::test
{

/// @return whether Wireshark's dissectors are here.
inline bool
HasTshark()
{
    return std::system("tshark --version > /dev/null 2>&1") == 0;
}

/// @return what they say about a file of captures, line by line.
inline std::vector<std::string>
RunTshark(const TemporaryFolder& folder, const std::string& path, const std::string& arguments)
{
    // RoCEv2 leaves UDP's check sum 0 over IPv6 too (IBA vol. 1, annex A17; allowed by RFC 6935),
    // which is an error to the dissector unless told. RPC over RDMA would take the last frame of a
    // SEND, whose bytes are zeros, for its own, and calls an empty SEND malformed (version 4.0).
    const std::string command =
        "tshark -o eth.check_fcs:TRUE -o udp.ignore_ipv6_zero_checksum:TRUE "
        "--disable-protocol rpcordma -r " +
        path + " " + arguments + " > " + folder.Path() + "/out 2> /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::istringstream text(folder.Read("out"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

/// @return arguments for one line per frame with those fields, a tab between them.
template <class Fields>
std::string
AskForFields(const Fields& fields)
{
    std::string arguments = "-T fields";
    for (const char* field : fields)
    {
        arguments += std::string(" -e ") + field;
    }
    return arguments;
}

} // namespace ns3::aifabric::test

#endif // AIFABRIC_TSHARK_H
