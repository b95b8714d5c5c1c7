// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TEMPORARY_FOLDER_H
#define AIFABRIC_TEMPORARY_FOLDER_H

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3::aifabric
{

/// An empty folder for a test, gone with it.
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        m_path = (std::filesystem::temp_directory_path() / "ai-fabric-XXXXXX").string();
        if (!mkdtemp(m_path.data()))
        {
            throw std::runtime_error("no temporary folder");
        }
    }

    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& Path() const
    {
        return m_path;
    }

    /// @return the names in the folder, sorted.
    std::vector<std::string> Names() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(m_path))
        {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    /// @return all that a file in the folder holds.
    std::string Read(const std::string& name) const
    {
        std::ifstream in(m_path + "/" + name, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    }

    /// @return the path of a new file that holds text.
    std::string Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_path + "/" + name, std::ios::binary) << text;
        return m_path + "/" + name;
    }

  private:
    std::string m_path;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TEMPORARY_FOLDER_H
