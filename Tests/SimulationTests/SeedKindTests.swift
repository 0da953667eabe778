import Foundation
import Simulation
import Testing

/// Runs that put their weight on one thing: relations of many objects, late commits, failing writes, haste.
@Suite("Simulation of special cases")
struct SeedKindTests {
    @Test(arguments: [SeedKind.relations, .lateCommits, .failingWrites, .haste, .crashes, .tables, .timers])
    func replicasConverge(kind: SeedKind) async throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            let directory = FileManager.default.temporaryDirectory.path + "/tidegate-simulation-\(UUID().uuidString)"
            let report = try await Simulation(seed: seed, kind: kind).run(in: directory)
            #expect(
                report.findings.isEmpty,
                "again: swift run -c release tidegate-sim --seed \(seed) --runs 1 --kind \(kind.rawValue) --trace")
        }
    }
}
