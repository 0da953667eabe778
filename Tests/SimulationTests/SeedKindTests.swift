import Foundation
import Simulation
import Testing

/// Runs that put their weight on one thing: relations of many objects, late commits, failing writes.
@Suite("Simulation of special cases")
struct SeedKindTests {
    /// Where late commits lead astray without the audit of the newest rows: in seed 39.
    private static func seeds(of kind: SeedKind) -> ClosedRange<UInt64> { kind == .lateCommits ? 32...41 : 1...10 }

    @Test(arguments: [SeedKind.relations, .lateCommits, .failingWrites])
    func everythingIsRightInTheEnd(kind: SeedKind) async throws {
        for seed in Self.seeds(of: kind) {
            let directory = FileManager.default.temporaryDirectory.path + "/tidegate-simulation-\(UUID().uuidString)"
            let report = try await Simulation(seed: seed, kind: kind).run(in: directory)
            #expect(
                report.findings.isEmpty,
                "again: swift run -c release tidegate-sim --seed \(seed) --runs 1 --kind \(kind.rawValue) --trace")
        }
    }
}
