import Foundation
import Simulation
import Testing

/// Runs with one emphasis each, such as relations with many owners, late commits, or failing writes. `.ci/check-seeds` runs more
/// seeds of each kind with the optimised program.
@Suite("Simulation of special cases")
struct SeedKindTests {
    @Test(arguments: [
        SeedKind.relations, .lateCommits, .failingWrites, .haste, .crashes, .manyPages, .tables, .plainTables,
        .datasync,
        .plainDatasync, .timers, .refusals, .site, .people,
    ])
    func replicasConvergeInEverySeedOfTheKind(kind: SeedKind) async throws {
        for seed in 1...2 as ClosedRange<UInt64> {
            let directory = FileManager.default.temporaryDirectory.path + "/tidegate-simulation-\(UUID().uuidString)"
            let report = try await Simulation(seed: seed, kind: kind).run(in: directory)
            #expect(
                report.findings.isEmpty,
                "repeat with: swift run -c release tidegate-sim --seed \(seed) --runs 1 --kind \(kind.rawValue) --trace"
            )
        }
    }
}
