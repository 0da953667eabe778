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
    @Option(help: "How many steps before the faults stop.") var steps = 60
    @Option(help: "Break the engine on purpose: \(Sabotage.allCases.map(\.rawValue).joined(separator: ", ")).")
    var sabotage: String?
    @Flag(help: "Print all that happens in each run.") var trace = false
    @Flag(help: "End with the first seed that fails.") var stopAtFirst = false

    func validate() throws {
        if let sabotage, Sabotage(rawValue: sabotage) == nil {
            throw ValidationError("there is no sabotage '\(sabotage)'")
        }
    }

    func run() async throws {
        let begin = Environment.live.uptime()
        var faults: [String: Int] = [:]
        var failed: [UInt64] = []
        let directory =
            FileManager.default.temporaryDirectory.path + "/tidegate-sim-\(ProcessInfo.processInfo.processIdentifier)"
        for seed in seed..<(seed + runs) {
            var simulation = Simulation(seed: seed, steps: steps, sabotage: sabotage.flatMap(Sabotage.init))
            simulation.keepsTrace = trace
            let report = try await simulation.run(in: "\(directory)-\(seed)")
            faults.merge(report.faults, uniquingKeysWith: +)
            for line in report.trace { print(line) }
            if trace { print("fingerprint \(String(report.fingerprint, radix: 16))") }
            guard !report.findings.isEmpty else { continue }
            failed.append(seed)
            print("seed \(seed) fails:")
            for finding in report.findings.prefix(5) { print("  \(finding)") }
            let option = sabotage.map { " --sabotage \($0)" } ?? ""
            print("  again: tidegate-sim --seed \(seed) --runs 1 --steps \(steps)\(option) --trace")
            if stopAtFirst { break }
        }
        let (seconds, rest) = (Environment.live.uptime() - begin).components
        print(
            "\(runs) seeds, \(steps) steps each, \(seconds).\(rest / 100_000_000_000_000_000) s: \(failed.count) failed"
        )
        print("faults: " + faults.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
        if !failed.isEmpty { throw ExitCode(1) }
    }
}
