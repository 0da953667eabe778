import ArgumentParser
import Foundation
import Gateway
import ParseModel
import Simulation

@main
struct SimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tidegate-sim",
        abstract: "Runs seeded simulations of a server, replicas, users and faults, and checks the invariants.",
        discussion: """
            For each failing seed, the output names the command that repeats it. The exit code is 1 if a seed fails or, with \
            --rates, if less than 1% of the seeds detect a deliberate break.
            """)

    @Option(help: "The first seed.") var seed: UInt64 = 1
    @Option(help: "The number of seeds. They are consecutive.") var runs: UInt64 = 100
    @Option(help: "The number of seeds that run at the same time. The results do not depend on it.") var jobs = 1
    @Option(help: "The number of steps before the faults stop.") var steps = 60
    @Option(help: "Break the engine on purpose: \(Sabotage.allCases.map(\.rawValue).joined(separator: ", ")).")
    var sabotage: String?
    @Option(help: "The kind of the runs: \(SeedKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var kind = SeedKind.usual.rawValue
    @Option(help: "A fault of the server's data: \(DataFault.allCases.map(\.rawValue).joined(separator: ", ")).")
    var dataFault: String?
    @Flag(help: "Print how many seeds detect each deliberate break, or the break given by --sabotage.")
    var rates = false
    @Flag(help: "With --rates: stop each break once 1% of --runs seeds detect it.") var enough = false
    @Flag(help: "Print every event of each run.") var trace = false
    @Flag(help: "Stop at the first failing seed.") var stopAtFirst = false

    func validate() throws {
        if let sabotage, Sabotage(rawValue: sabotage) == nil {
            throw ValidationError("unknown sabotage '\(sabotage)'")
        }
        if SeedKind(rawValue: kind) == nil { throw ValidationError("unknown kind '\(kind)'") }
        if let dataFault, DataFault(rawValue: dataFault) == nil {
            throw ValidationError("unknown data fault '\(dataFault)'")
        }
        // The faults in the server's data exist only for the Parse API.
        if SeedKind(rawValue: kind)?.speaksDatasync == true, let dataFault {
            throw ValidationError("runs of the kind '\(kind)' cannot have the data fault '\(dataFault)'")
        }
        // In runs of these kinds, the server has row versions. The final checks do not support its restore from a
        // backup yet.
        if [SeedKind.tables, .plainTables].map(\.rawValue).contains(kind),
            dataFault == DataFault.restoredBackup.rawValue
        {
            throw ValidationError(
                "runs of the kinds 'tables' and 'plainTables' cannot have the data fault 'restoredBackup'")
        }
    }

    func run() async throws {
        guard rates else { return try await runSeeds() }
        let breaks = sabotage.flatMap(Sabotage.init).map { [$0] } ?? Sabotage.allCases
        RateTable.print(nil)
        var isEachFound = true
        for sabotage in breaks {
            var rate = BreakRate(of: sabotage)
            try await each(beginningWith: enough ? LikelySeeds.seed(of: sabotage) : nil) {
                Simulation(seed: $0, breaking: sabotage)
            } note: { report in
                rate.note(report)
                return !enough || !rate.isEnough(among: runs)
            }
            RateTable.print(rate)
            if !rate.isEnough(among: runs) { isEachFound = false }
        }
        if !isEachFound { throw ExitCode(1) }
    }

    private func runSeeds() async throws {
        let begin = Environment.live.uptime()
        var faults: [String: Int] = [:]
        var questions: [String: Int] = [:]
        var (done, failed) = (0, 0)
        try await each {
            simulation($0)
        } note: { report in
            done += 1
            faults.merge(report.faults, uniquingKeysWith: +)
            questions.merge(report.questions, uniquingKeysWith: +)
            tell(report)
            if !report.findings.isEmpty { failed += 1 }
            return !(stopAtFirst && failed > 0)
        }
        let (seconds, rest) = (Environment.live.uptime() - begin).components
        print(
            "\(done) seeds, \(steps) steps each, \(seconds).\(rest / 100_000_000_000_000_000) s: \(failed) failed")
        print("faults: " + Self.listed(faults))
        if !questions.isEmpty { print("questions about creates: " + Self.listed(questions)) }
        if failed > 0 { throw ExitCode(1) }
    }

    private static func listed(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    /// Runs every seed, `jobs` at a time.
    /// - Parameters:
    ///   - likely: the seed that runs first, alone; nil to begin with the first `jobs` seeds. A seed outside of the run is ignored.
    ///   - note: receives the report of each run at the end of the run. If `note` returns false, no further run starts.
    private func each(
        beginningWith likely: UInt64? = nil, _ simulation: @escaping @Sendable (UInt64) -> Simulation,
        note: (Simulation.Report) -> Bool
    ) async throws {
        let likely = likely.flatMap { (seed..<seed + runs).contains($0) ? $0 : nil }
        if let likely, try await !note(simulation(likely).run(in: Self.directory(likely))) { return }
        var next = seed
        var end = seed + runs
        try await withThrowingTaskGroup(of: Simulation.Report.self) { group in
            func start() {
                if next == likely { next += 1 }
                guard next < end else { return }
                group.addTask { [next] in try await simulation(next).run(in: Self.directory(next)) }
                next += 1
            }
            for _ in 0..<max(1, jobs) { start() }
            while let report = try await group.next() {
                if !note(report) { end = next }
                start()
            }
        }
    }

    private static func directory(_ seed: UInt64) -> String {
        let name = "tidegate-sim-\(ProcessInfo.processInfo.processIdentifier)-\(seed)"
        return FileManager.default.temporaryDirectory.path + "/" + name
    }

    private func simulation(_ seed: UInt64) -> Simulation {
        var simulation = Simulation(
            seed: seed, steps: steps, sabotage: sabotage.flatMap(Sabotage.init),
            kind: SeedKind(rawValue: kind) ?? .usual, dataFault: dataFault.flatMap(DataFault.init))
        simulation.keepsTrace = trace
        return simulation
    }

    private func tell(_ report: Simulation.Report) {
        for line in report.trace { print(line) }
        if trace { print("fingerprint \(String(report.fingerprint, radix: 16))") }
        guard !report.findings.isEmpty else { return }
        print("seed \(report.seed) fails:")
        for finding in report.findings.prefix(5) { print("  \(finding)") }
        let kindOption = kind == SeedKind.usual.rawValue ? "" : " --kind \(kind)"
        let option =
            (sabotage.map { " --sabotage \($0)" } ?? "") + (dataFault.map { " --data-fault \($0)" } ?? "")
        print(
            "  repeat with: tidegate-sim --seed \(report.seed) --runs 1 --steps \(steps)\(option)\(kindOption) --trace")
    }
}
