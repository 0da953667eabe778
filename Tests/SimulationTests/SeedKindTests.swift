import Foundation
import Simulation
import Testing

/// Runs that put their weight on one thing: relations of many objects, late commits, failing writes, haste.
@Suite("Simulation of special cases")
struct SeedKindTests {
    /// Those in which a break of the engine shows are among them.
    private static func seeds(of kind: SeedKind) -> ClosedRange<UInt64> {
        switch kind {
        case .lateCommits: 32...41
        case .haste: 15...20
        default: 1...10
        }
    }

    @Test(arguments: [SeedKind.relations, .lateCommits, .failingWrites, .haste])
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
