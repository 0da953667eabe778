import Foundation
import Simulation
import Testing

/// Seeded runs of a server, replicas, users and faults. A failure names the command that repeats its seed.
/// `.ci/check-seeds` runs more seeds with the optimised program.
@Suite("Simulation")
struct SimulationTests {
    static let steps = 60
    static let seedsPerCase: UInt64 = 2

    /// The files of a run are deleted at its end.
    private func run(
        _ seed: UInt64, _ sabotage: Sabotage? = nil, _ kind: SeedKind = .usual, _ dataFault: DataFault? = nil
    ) async throws -> Simulation.Report {
        let directory = FileManager.default.temporaryDirectory.path + "/tidegate-simulation-\(UUID().uuidString)"
        return try await Simulation(
            seed: seed, steps: Self.steps, sabotage: sabotage, kind: kind, dataFault: dataFault
        ).run(in: directory)
    }

    @Test(arguments: 0..<2) func replicasConvergeInEverySeed(case number: UInt64) async throws {
        var faults = 0
        for seed in (number * Self.seedsPerCase + 1)...((number + 1) * Self.seedsPerCase) {
            let report = try await run(seed)
            faults += report.faults.values.reduce(0, +)
            #expect(
                report.findings.isEmpty,
                "repeat with: swift run -c release tidegate-sim --seed \(seed) --runs 1 --steps \(Self.steps) --trace")
        }
        #expect(faults > 0)
    }

    @Test(arguments: 0..<2) func replicasConvergeAfterCreatesOfUnknownOutcome(case number: UInt64) async throws {
        for seed in (number * Self.seedsPerCase + 1)...((number + 1) * Self.seedsPerCase) {
            #expect(
                try await run(seed, nil, .creates).findings.isEmpty,
                "repeat with: swift run -c release tidegate-sim --kind creates --seed \(seed) --runs 1 --steps \(Self.steps) --trace"
            )
        }
    }

    /// Seeds that have failed before. Those of `people` are in `.ci/check-seeds`, because they take long without optimisation.
    @Test(
        arguments: [
            // The search for a create believed an empty page after a page with rows.
            (80_007_140, SeedKind.usual, nil),
            // An empty answer in the middle of the rows of one millisecond moved the cursor past that millisecond.
            (90_003_110, .usual, nil),
            // Two objects were merged, and the value of an earlier pending change replaced a later edit without a
            // conflict record.
            (90_009_426, .haste, nil), (110_004_532, .usual, .lostCreates),
            // A deletion was sent although an edit with an earlier timestamp had been committed later.
            (130_000_314, .relations, nil), (130_000_342, .lateCommits, nil),
            // Two objects were merged, and the object left the pull that had shown its row.
            (150_000_336, .lateCommits, nil),
            // A sync removed an object before it read the edited objects, whose older rows showed the restore.
            (110_000_515, .usual, .restoredBackup), (110_000_785, .usual, .restoredBackup),
            // The removal of a deleted object was held back because a restored backup was suspected. The deletion then
            // named an outdated version for ever.
            (170_001_243, .plainDatasync, nil),
            // New objects of two authors pointed to each other, and each create waited for the other one.
            (200_000_055, .site, nil),
            // A change followed an interrupted request of another author to the same object without waiting for it.
            (200_000_068, .site, nil),
            // An edit of unknown outcome was sent again before another author's deletion of the object.
            (200_000_198, .site, nil),
            // Only a stored canary, a known object that is read to check the remote's answers, shows the restored
            // backup: the read itself finds an object that the backup has brought back.
            (60_000_514, .usual, DataFault.restoredBackup),
        ] as [(UInt64, SeedKind, DataFault?)])
    func replicasConvergeInSeedsThatFailedBefore(seed: UInt64, kind: SeedKind, fault: DataFault?) async throws {
        #expect(try await run(seed, nil, kind, fault).findings.isEmpty)
    }

    @Test(arguments: 0..<1) func writesFromStaleFormsOverwriteNoUnseenValue(case number: UInt64) async throws {
        for seed in (number * Self.seedsPerCase + 1)...((number + 1) * Self.seedsPerCase) {
            let report = try await run(seed, nil, .openForms)
            #expect(
                report.findings.isEmpty,
                "repeat with: tidegate-sim --kind openForms --seed \(seed) --runs 1 --steps \(Self.steps) --trace")
        }
    }

    @Test(arguments: DataFault.allCases, 0..<1) func replicasRecoverFromDataFaults(
        _ dataFault: DataFault, case number: UInt64
    ) async throws {
        for seed in (number * Self.seedsPerCase + 1)...((number + 1) * Self.seedsPerCase) {
            #expect(
                try await run(seed, nil, .usual, dataFault).findings.isEmpty,
                "repeat with: tidegate-sim --seed \(seed) --runs 1 --data-fault \(dataFault.rawValue) --trace")
        }
    }

    /// The same seed gives the same run also for engines that run their own loops, for a remote that sends several
    /// requests at once, and for whole gateways.
    @Test(arguments: [SeedKind.usual, .timers, .datasync, .people]) func oneSeedGivesTheSameRunInEveryProcess(
        kind: SeedKind
    ) throws {
        let options = ["--kind", kind.rawValue, "--runs", "1", "--steps", "20", "--trace", "--seed"]
        let runs = try ["7", "7", "8"].map { Self.withoutTime(try Self.output(options + [$0])) }
        #expect(runs[0].contains { $0.contains("fingerprint") })
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
    }

    /// The second to last line contains the duration of the run.
    private static func withoutTime(_ output: String) -> [Substring] {
        output.split(separator: "\n").filter { !$0.contains("seeds, ") }
    }

    private static func output(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = try program()
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// The test bundle and the program are built into the same directory.
    private static func program() throws -> URL {
        let here = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let places =
            [here, Bundle.main.bundleURL, here.deletingLastPathComponent()]
            + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        let found = places.map { $0.appending(path: "tidegate-sim") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return try #require(found, "the program was not built beside the tests")
    }
}
