import ArgumentParser
import Foundation
import Gateway
import ParseModel
import Simulation

@main
struct SimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tidegate-sim",
        abstract: "Runs seeded simulations of a server, replicas, people and faults, and checks what holds afterwards.",
        discussion: "A seed that fails is printed with the command that repeats it. The exit code is 1 where one did.")

    @Option(help: "The first seed.") var seed: UInt64 = 1
    @Option(help: "How many seeds, each the next number.") var runs: UInt64 = 100
    @Option(help: "How many seeds run at a time; what each of them does, stays the same.") var jobs = 1
    @Option(help: "How many steps before the faults stop.") var steps = 60
    @Option(help: "Break the engine on purpose: \(Sabotage.allCases.map(\.rawValue).joined(separator: ", ")).")
    var sabotage: String?
    @Option(help: "The emphasis of the runs: \(SeedKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var kind = SeedKind.usual.rawValue
    @Option(help: "Misfortunes of the server's data: \(Misfortune.allCases.map(\.rawValue).joined(separator: ", ")).")
    var misfortune: String?
    @Flag(help: "Print all that happens in each run.") var trace = false
    @Flag(help: "End with the first seed that fails.") var stopAtFirst = false

    func validate() throws {
        if let sabotage, Sabotage(rawValue: sabotage) == nil {
            throw ValidationError("there is no sabotage '\(sabotage)'")
        }
        if SeedKind(rawValue: kind) == nil { throw ValidationError("there is no kind '\(kind)'") }
        if let misfortune, Misfortune(rawValue: misfortune) == nil {
            throw ValidationError("there is no misfortune '\(misfortune)'")
        }
    }

    func run() async throws {
        let begin = Environment.live.uptime()
        var faults: [String: Int] = [:]
        var failed = 0
        var done: UInt64 = 0
        var next = seed
        let end = seed + runs
        try await withThrowingTaskGroup(of: Simulation.Report.self) { group in
            func start() {
                guard next < end else { return }
                group.addTask { [next] in try await simulate(next) }
                next += 1
            }
            for _ in 0..<max(1, jobs) { start() }
            while let report = try await group.next() {
                done += 1
                faults.merge(report.faults, uniquingKeysWith: +)
                tell(report)
                if !report.findings.isEmpty { failed += 1 }
                if stopAtFirst, failed > 0 { next = end }
                start()
            }
        }
        let (seconds, rest) = (Environment.live.uptime() - begin).components
        print(
            "\(done) seeds, \(steps) steps each, \(seconds).\(rest / 100_000_000_000_000_000) s: \(failed) failed")
        print("faults: " + faults.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
        if failed > 0 { throw ExitCode(1) }
    }

    private func simulate(_ seed: UInt64) async throws -> Simulation.Report {
        let name = "tidegate-sim-\(ProcessInfo.processInfo.processIdentifier)-\(seed)"
        var simulation = Simulation(
            seed: seed, steps: steps, sabotage: sabotage.flatMap(Sabotage.init),
            kind: SeedKind(rawValue: kind) ?? .usual, misfortune: misfortune.flatMap(Misfortune.init))
        simulation.keepsTrace = trace
        return try await simulation.run(in: FileManager.default.temporaryDirectory.path + "/" + name)
    }

    private func tell(_ report: Simulation.Report) {
        for line in report.trace { print(line) }
        if trace { print("fingerprint \(String(report.fingerprint, radix: 16))") }
        guard !report.findings.isEmpty else { return }
        print("seed \(report.seed) fails:")
        for finding in report.findings.prefix(5) { print("  \(finding)") }
        let kindOption = kind == SeedKind.usual.rawValue ? "" : " --kind \(kind)"
        let option =
            (sabotage.map { " --sabotage \($0)" } ?? "") + (misfortune.map { " --misfortune \($0)" } ?? "")
        print("  again: tidegate-sim --seed \(report.seed) --runs 1 --steps \(steps)\(option)\(kindOption) --trace")
    }
}
