import Foundation
import Simulation
import Testing

/// Runs of the simulation with one emphasis each, such as relations with many owners, late commits, or failing writes.
/// `.ci/check-seeds` runs more seeds of each kind with the optimised program.
@Suite("Simulation of special cases")
struct SeedKindTests {
    @Test(arguments: [
        SeedKind.relations, .lateCommits, .failingWrites, .haste, .crashes, .manyPages, .tables, .plainTables,
        .datasync,
        .plainDatasync, .timers, .refusals, .strict, .site, .once, .people,
    ])
    func replicasConvergeInTheFirstSeedOfEachSpecialCase(kind: SeedKind) async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/tidegate-simulation-\(UUID().uuidString)"
        let report = try await Simulation(seed: 1, kind: kind).run(in: directory)
        #expect(
            report.findings.isEmpty,
            "repeat with: swift run -c release tidegate-sim --seed 1 --runs 1 --kind \(kind.rawValue) --trace")
    }
}
