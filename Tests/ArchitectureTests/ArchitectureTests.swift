import Foundation
import Testing

/// The real sources keep the rules. `RulesTests` shows that the rules can be broken.
struct ArchitectureTests {
    private let rules: Rules

    /// The sources of the package, read once for all tests, because reading takes a while.
    private static let checkout = Result {
        try Rules(
            root: URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent())
    }

    init() throws {
        rules = try Self.checkout.get()
        // With a wrong root directory there would be no sources, and every rule would hold.
        try #require(rules.sources.contains { $0.path == Rules.liveEnvironment })
    }

    @Test func everyTargetHasALayer() {
        #expect(rules.unknownTargets() == [])
        for target in Layers.levels.joined() { #expect(rules.targets.contains(target), "\(target) does not exist") }
    }

    @Test func targetsImportOnlyTargetsOfLowerLevels() { #expect(rules.imports() == []) }

    @Test func onlyTheAllowedFilesUseRawPointers() { #expect(rules.rawPointers() == []) }

    @Test func onlyTheSettingsKnowAVersionOfParseServer() { #expect(rules.versionsOfParseServer() == []) }

    @Test func noSourceCrashesOnPurpose() { #expect(rules.crashes() == []) }

    @Test func timeAndRandomnessComeFromTheEnvironment() { #expect(rules.clocksAndRandomness() == []) }

    @Test func eachReadOfJSONLimitsTheNesting() { #expect(rules.unboundedDepths() == []) }

    @Test func noSourceDecidesByAnErrorTextOfARemote() { #expect(rules.decisionsByText() == []) }

    @Test func noFileExceedsTheMaximumLength() { #expect(rules.longFiles() == []) }

    @Test func filesNameNoTypeOfAHigherFolder() { #expect(rules.higherFolderNames() == []) }

    @Test func noCircleOfFilesExceedsTheMaximumSize() { #expect(rules.largeCircles() == []) }

    @Test func noTypeHasTooManyFiles() { #expect(rules.scatteredTypes() == []) }

    @Test func noFunctionExceedsTheMaximumLength() { #expect(rules.longFunctions() == []) }
}
