/// The share of tested seeds in which the simulation detects a deliberate break of the engine.
package struct BreakRate: Sendable {
    package let sabotage: Sabotage
    /// The number of seeds run so far.
    package private(set) var seeds = 0
    /// The seeds with findings, in ascending order.
    package private(set) var found: [UInt64] = []

    package init(of sabotage: Sabotage) { self.sabotage = sabotage }

    /// The seeds that the tests run. At least `shareMin` of them must detect each break.
    package static let testedSeeds: ClosedRange<UInt64> = 1...200
    package static let shareMin = 0.01

    /// The number of tested seeds that must detect each break.
    package static let foundMin = Int((Double(testedSeeds.count) * shareMin).rounded(.up))

    package var share: Double { seeds == 0 ? 0 : Double(found.count) / Double(seeds) }

    package mutating func note(_ report: Simulation.Report) {
        seeds += 1
        guard !report.findings.isEmpty else { return }
        found.insert(report.seed, at: found.firstIndex { $0 > report.seed } ?? found.endIndex)
    }
}
