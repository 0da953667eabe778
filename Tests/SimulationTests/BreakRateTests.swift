import Foundation
import Simulation
import Testing

/// The simulation detects each deliberate break of the engine, so its passing runs mean something.
@Suite("Deliberate breaks")
struct BreakRateTests {
    /// The seeds in which `.ci/check-seeds` counts the runs that detect a break.
    private static let seeds: ClosedRange<UInt64> = 1...200

    /// Runs the seeds until one of them detects the break. `.ci/check-seeds` requires more of them, with the optimised program,
    /// and `tidegate-sim --rates` prints the rate over all seeds.
    @Test(arguments: Sabotage.allCases) func eachBreakIsFound(_ sabotage: Sabotage) async throws {
        var rate = BreakRate(of: sabotage)
        for seed in Self.seeds where rate.found.isEmpty {
            let directory = FileManager.default.temporaryDirectory.path + "/tidegate-simulation-\(UUID().uuidString)"
            rate.note(try await Simulation(seed: seed, breaking: sabotage).run(in: directory))
        }
        #expect(!rate.found.isEmpty, "none of \(rate.seeds) seeds finds it")
    }
}
