import Foundation
import Simulation
import Testing

/// A run with a deliberate break of the engine has findings often enough: the checks that all other runs pass mean something.
@Suite("Deliberate breaks")
struct BreakRateTests {
    /// Goes through the seeds until enough of them have found the break. `tidegate-sim --rates` tells how many all of them do.
    @Test(arguments: Sabotage.allCases) func eachBreakIsFoundInOnePercentOfTheSeeds(_ sabotage: Sabotage) async throws {
        var rate = BreakRate(of: sabotage)
        for seed in BreakRate.testedSeeds where rate.found.count < BreakRate.foundMin {
            let directory = FileManager.default.temporaryDirectory.path + "/tidegate-simulation-\(UUID().uuidString)"
            rate.note(try await Simulation(seed: seed, breaking: sabotage).run(in: directory))
        }
        #expect(rate.found.count >= BreakRate.foundMin, "\(rate.found.count) of \(rate.seeds) seeds find it")
    }
}
