import Foundation

/// One simulation run, determined by its seed and options.
package struct Simulation: Sendable {
    package struct Report: Sendable {
        package let seed: UInt64
        /// The violations found; empty for a correct run.
        package let findings: [String]
        /// A hash of the trace. Runs with the same seed and options have the same hash, in every process.
        package let fingerprint: UInt64
        /// The number of network faults, by kind.
        package let faults: [String: Int]
        /// The number of conflicts about the outcome of creates that users have answered, by the answer.
        package var questions: [String: Int] = [:]
        /// The lines of the trace; empty unless `keepsTrace` is set.
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

    /// A run with a deliberate bug. It has the kind and the data fault with which the bug can be detected.
    package init(seed: UInt64, breaking sabotage: Sabotage) {
        self.init(seed: seed, sabotage: sabotage, kind: sabotage.kind, dataFault: sabotage.dataFault)
    }

    /// Runs the simulation.
    /// - Parameter directory: the directory for the run's files. It is created, and removed at the end.
    /// - Throws: if the host fails, for example because its disk is full. Findings are in the report.
    package func run(in directory: String) async throws -> Report {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let executor = SerialTaskExecutor()
        return try await Task(executorPreference: executor) {
            if kind == .people { return try await runPeople(in: directory, executor) }
            let world = try await World(
                seed: seed, kind: kind, steps: steps, directory: directory, sabotage: sabotage, dataFault: dataFault,
                keepsLines: keepsTrace)
            let findings = try await world.run()
            return Report(
                seed: seed, findings: findings, fingerprint: world.fingerprint, faults: world.faults,
                questions: world.questions, trace: world.lines)
        }.value
    }

    private func runPeople(in directory: String, _ executor: SerialTaskExecutor) async throws -> Report {
        let world = try await PeopleWorld(
            seed: seed, steps: steps, directory: directory, sabotage: sabotage, keepsLines: keepsTrace,
            executor: executor)
        let findings = try await world.run()
        return Report(
            seed: seed, findings: findings, fingerprint: world.fingerprint, faults: world.faults, trace: world.lines)
    }
}
