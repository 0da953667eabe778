import Foundation
import Simulation
import Testing

/// The simulation detects each deliberate break of the engine often enough, so its passing runs mean something.
@Suite("Deliberate breaks")
struct BreakRateTests {
    /// Runs the seeds until enough of them detect the break. `tidegate-sim --rates` prints the rate over all seeds.
    @Test(arguments: Sabotage.allCases) func eachBreakIsFoundInOnePercentOfTheSeeds(_ sabotage: Sabotage) async throws {
        var rate = BreakRate(of: sabotage)
        for seed in BreakRate.testedSeeds where rate.found.count < BreakRate.foundMin {
            let directory = FileManager.default.temporaryDirectory.path + "/tidegate-simulation-\(UUID().uuidString)"
            rate.note(try await Simulation(seed: seed, breaking: sabotage).run(in: directory))
        }
        #expect(rate.found.count >= BreakRate.foundMin, "\(rate.found.count) of \(rate.seeds) seeds find it")
    }
}
