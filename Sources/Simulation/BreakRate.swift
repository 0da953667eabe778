/// In how many of the seeds that were run a deliberate break of the engine was found.
package struct BreakRate: Sendable {
    package let sabotage: Sabotage
    /// The number of seeds that were run.
    package private(set) var seeds = 0
    /// The seeds with findings, in ascending order.
    package private(set) var found: [UInt64] = []

    package init(of sabotage: Sabotage) { self.sabotage = sabotage }

    /// The seeds that the tests run, and the share of them in which each break has to be found.
    package static let testedSeeds: ClosedRange<UInt64> = 1...200
    package static let shareMin = 0.01

    /// How many of the tested seeds have to find each break.
    package static let foundMin = Int((Double(testedSeeds.count) * shareMin).rounded(.up))

    package var share: Double { seeds == 0 ? 0 : Double(found.count) / Double(seeds) }

    package mutating func note(_ report: Simulation.Report) {
        seeds += 1
        guard !report.findings.isEmpty else { return }
        found.insert(report.seed, at: found.firstIndex { $0 > report.seed } ?? found.endIndex)
    }
}
