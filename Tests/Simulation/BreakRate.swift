/// The share of seeds in which the simulation detects a deliberate bug of the engine (`Sabotage`).
package struct BreakRate: Sendable {
    package let sabotage: Sabotage
    /// The number of seeds that have been run.
    package private(set) var seeds = 0
    /// The seeds in which the simulation has detected the bug, in ascending order.
    package private(set) var found: [UInt64] = []

    package init(of sabotage: Sabotage) { self.sabotage = sabotage }

    /// The minimum share of seeds, from 0 to 1, in which the simulation must detect a deliberate bug.
    package static let shareMin = 0.01

    /// Whether the bug is detected in enough seeds.
    /// - Parameter count: the total number of seeds, including those that are still to run.
    package func isEnough(among count: UInt64) -> Bool { Double(found.count) >= Double(count) * Self.shareMin }

    package var share: Double { seeds == 0 ? 0 : Double(found.count) / Double(seeds) }

    package mutating func note(_ report: Simulation.Report) {
        seeds += 1
        guard !report.findings.isEmpty else { return }
        found.insert(report.seed, at: found.firstIndex { $0 > report.seed } ?? found.endIndex)
    }
}
