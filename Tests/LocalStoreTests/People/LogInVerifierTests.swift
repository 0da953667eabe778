import ParseModel
import StoreService
import Testing

/// The rules for attempts to log in without the remote, and for the time by which they count.
@Suite("Attempts to log in offline")
struct LogInVerifierTests {
    private static let start = ParseDate(milliseconds: 1_800_000_000_000)

    private func fail(_ verifier: inout LogInVerifier, at time: ParseDate) {
        for _ in 0..<LogInVerifier.failuresMax { #expect(verifier.begin(at: time) == .allowed(hash: "hash")) }
    }

    @Test func fiveFailedLogInsLockTheUserForFiveMinutesAndFiveMoreForTen() {
        var verifier = LogInVerifier(hash: "hash", provenAt: Self.start)
        var time = Self.start
        for minutes in [5, 10, 20, 40, 60, 60, 60] {
            fail(&verifier, at: time)
            let end = time + .seconds(minutes * 60)
            #expect(verifier.begin(at: end - .milliseconds(1)) == .locked(until: end))
            time = end
        }
    }

    @Test func aPasswordHashForOfflineLogInsIsValidForAWeek() {
        var verifier = LogInVerifier(hash: "hash", provenAt: Self.start)
        #expect(verifier.begin(at: Self.start + .seconds(7 * 86_400) - .milliseconds(1)) == .allowed(hash: "hash"))
        #expect(verifier.begin(at: Self.start + .seconds(7 * 86_400)) == .impossible)
    }

    @Test func theTimeForOfflineLogInsFollowsTheRemoteAndNeverDecreases() {
        let here = Self.start
        var time = TrustedTime(nil, here: here, uptime: .seconds(100))
        time.note(here + .seconds(1000), here: here, uptime: .seconds(100))
        #expect(time.now(here: here + .seconds(1), uptime: .seconds(101)) == here + .seconds(1001))
        // An earlier time from the remote changes nothing.
        time.note(here, here: here + .seconds(1), uptime: .seconds(101))
        #expect(time.now(here: here + .seconds(2), uptime: .seconds(102)) == here + .seconds(1002))
        // A local clock that is set back changes nothing either, because the uptime continues.
        #expect(time.now(here: here - .seconds(9999), uptime: .seconds(110)) == here + .seconds(1010))
        // The uptime does not advance while the machine sleeps, but the local clock does.
        #expect(time.now(here: here - .seconds(9899), uptime: .seconds(110)) == here + .seconds(1110))
    }

    @Test func theTimeForOfflineLogInsContinuesAfterARestart() {
        let note = TrustedTime.Note(remote: Self.start, here: Self.start + .seconds(30))
        var later = TrustedTime(note, here: Self.start + .seconds(90), uptime: .zero)
        #expect(later.now(here: Self.start + .seconds(90), uptime: .zero) == Self.start + .seconds(60))
        // The clock was set back while the gateway was stopped.
        var earlier = TrustedTime(note, here: Self.start - .seconds(90), uptime: .zero)
        #expect(earlier.now(here: Self.start - .seconds(90), uptime: .zero) == Self.start)
        #expect(earlier.note.remote == Self.start)
    }
}
