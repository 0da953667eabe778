/// The share of tested seeds in which the simulation detects a deliberate break of the engine.
package struct BreakRate: Sendable {
    package let sabotage: Sabotage
    /// The number of seeds run so far.
    package private(set) var seeds = 0
    /// The seeds with findings, in ascending order.
    package private(set) var found: [UInt64] = []

    package init(of sabotage: Sabotage) { self.sabotage = sabotage }

    /// The minimum share of seeds, from 0 to 1, in which the simulation must detect a break.
    package static let shareMin = 0.01

    /// Whether enough seeds detect the break.
    /// - Parameter count: the total number of seeds, including those that are still to run.
    package func isEnough(among count: UInt64) -> Bool { Double(found.count) >= Double(count) * Self.shareMin }

    package var share: Double { seeds == 0 ? 0 : Double(found.count) / Double(seeds) }

    package mutating func note(_ report: Simulation.Report) {
        seeds += 1
        guard !report.findings.isEmpty else { return }
        found.insert(report.seed, at: found.firstIndex { $0 > report.seed } ?? found.endIndex)
    }
}
