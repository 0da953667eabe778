import Foundation

/// One run: a seed, so many steps, and what came of it.
package struct Simulation: Sendable {
    package struct Report: Sendable {
        package let seed: UInt64
        /// Empty where everything is right.
        package let findings: [String]
        /// The same for every run of a seed, in whatever process.
        package let fingerprint: UInt64
        /// How many faults there were, by kind.
        package let faults: [String: Int]
        /// All that happened; empty where the run was not asked to keep it.
        package let trace: [String]
    }

    package var seed: UInt64
    package var steps: Int
    package var sabotage: Sabotage?
    package var kind: SeedKind
    package var dataFault: DataFault?
    package var keepsTrace = false

    package init(
        seed: UInt64, steps: Int = 60, sabotage: Sabotage? = nil, kind: SeedKind = .usual, dataFault: DataFault? = nil
    ) {
        self.seed = seed
        self.steps = steps
        self.sabotage = sabotage
        self.kind = kind
        self.dataFault = dataFault
    }

    /// A run of the kind in which a break of the engine shows.
    package init(seed: UInt64, breaking sabotage: Sabotage) {
        self.init(seed: seed, sabotage: sabotage, kind: sabotage.kind, dataFault: sabotage.dataFault)
    }

    /// - Parameter directory: where the run keeps its files; it is made, and removed at the end.
    /// - Throws: where the machine fails, for instance for want of disk.
    package func run(in directory: String) async throws -> Report {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await Task(executorPreference: SerialTaskExecutor()) {
            let world = try await World(
                seed: seed, kind: kind, steps: steps, directory: directory, sabotage: sabotage, dataFault: dataFault,
                keepsLines: keepsTrace)
            let findings = try await world.run()
            return Report(
                seed: seed, findings: findings, fingerprint: world.fingerprint, faults: world.faults,
                trace: world.lines)
        }.value
    }
}
