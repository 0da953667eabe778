import Foundation
import ParseModel
import Testing

/// Tests that the real program, killed at arbitrary times, loses and repeats no acknowledged change.
///
/// `TIDEGATE_CRASH_ROUNDS` sets the number of kills, and `TIDEGATE_CRASH_SEED` their times. `.ci/run` kills the optimised program more often.
@Suite("Crash safety of killed gateways", .serialized)
struct CrashTests {
    private static let clients = 4
    private static let roundsUsually = 30

    @Test func killsLoseNoAcknowledgedChangeAndRepeatNone() async throws {
        let rounds = try number("TIDEGATE_CRASH_ROUNDS") ?? Self.roundsUsually
        let seed = try number("TIDEGATE_CRASH_SEED") ?? 1
        var random = SeededRandom(seed: UInt64(seed))
        var rig = try await CrashRig(clients: Self.clients, seed: random.next())
        for _ in 0..<rounds where rig.problems.isEmpty {
            let victims: CrashRig.Victims = random.chance(10) ? .hub : random.chance(10) ? .both : .replica
            let event: CrashMoment.Event = random.chance(2) ? .arrival : .acknowledgement
            let turns = random.chance(2) ? 0 : Int.random(in: 1...400, using: &random)
            try await rig.round(
                killing: victims, after: Int.random(in: 1...60, using: &random), of: event, turns: turns,
                syncs: event == .arrival || random.chance(2))
        }
        if rig.problems.isEmpty { try await rig.finish() }
        #expect(
            rig.problems.isEmpty, "\(rig.problems.joined(separator: "\n"))\nseed \(seed), \(rig.figures)")
        if rounds != Self.roundsUsually { print("seed \(seed), \(rig.figures)") }
    }

    private func number(_ variable: String) throws -> Int? {
        guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
        let number: Int = try #require(Int(text), "\(variable) is not a number")
        return number
    }
}
