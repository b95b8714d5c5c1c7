// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RUN_CAPTURES_H
#define AIFABRIC_RUN_CAPTURES_H

#include <memory>
#include <string>
#include <vector>

namespace ns3::aifabric
{

class Fabric;
class OutputSettings;
class PcapCapture;

/**
 * @ingroup ai-fabric-run
 * The captures of a run: a file NAME.pcap for each port that `outputs.pcap` asks for. All of them
 * appear whole or not at all.
 */
class RunCaptures
{
  public:
    /**
     * Before the run. @param folder for the files, made where it is not there; none are written where
     * empty.
     * @throws ScenarioError where files can't be written, or so many can't be open at once.
     */
    RunCaptures(const Fabric& fabric, const OutputSettings& outputs, const std::string& folder);
    ~RunCaptures();
    RunCaptures(const RunCaptures&) = delete;
    RunCaptures& operator=(const RunCaptures&) = delete;

    /// Ends the files, once the run has ended and its ports were looked at for the last time.
    /// @throws ScenarioError where that fails.
    void Close();

  private:
    std::vector<std::unique_ptr<PcapCapture>> m_captures;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RUN_CAPTURES_H
