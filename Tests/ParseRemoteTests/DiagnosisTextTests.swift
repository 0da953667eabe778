import RemoteService
import Testing

@testable import ParseRemote

/// The findings of `tidegate doctor` about a Parse Server.
@Suite struct DiagnosisTextTests {
    @Test func doctorReportsNoProblemOfAHealthyRemote() {
        let findings = ParseDiagnosis(
            health: .known("ok"), keys: .known(()), acceptsChosenIds: .known(false), classes: .known(["Holiday"]),
            remoteIsReplica: false
        ).findings(hasRestKey: false, classes: ["Holiday"])
        #expect(findings.map(\.name) == ["health", "keys", "chosenIds", "opField", "classes"])
        #expect(findings.allSatisfy { $0.state == ($0.name == "opField" ? .noted : .ok) })
    }

    @Test func doctorRecommendsAnOperationIdFieldOnlyIfTheRemoteAssignsIds() {
        for accepts in [true, false] {
            let findings = ParseDiagnosis(
                health: .known("ok"), keys: .known(()), acceptsChosenIds: .known(accepts), classes: .known(["Holiday"]),
                remoteIsReplica: false
            ).findings(hasRestKey: false, classes: ["Holiday"])
            #expect(findings.contains { $0.name == "opField" && $0.hint?.contains("opField") == true } == !accepts)
        }
    }

    @Test(arguments: [
        (true, "Classes of the remote: Holiday"), (false, "Classes that have objects on the remote: Holiday"),
    ])
    func doctorSaysWhetherItsListHasAllClasses(isComplete: Bool, text: String) {
        let findings = ParseDiagnosis(
            health: .known("ok"), keys: .known(()), acceptsChosenIds: .known(true), classes: .known(["Holiday"]),
            listsAllClasses: isComplete, remoteIsReplica: false
        ).findings(hasRestKey: false, classes: ["Holiday"])
        #expect(findings.last == RemoteFinding("classes", .ok, text))
    }

    @Test func doctorGivesAHintForAFailedCheck() {
        let findings = ParseDiagnosis(
            health: .known("ok"), keys: .failed(.unauthorized(message: "unauthorized")),
            acceptsChosenIds: .notAsked(reason: "the keys are not accepted"), classes: .known([]),
            remoteIsReplica: false
        ).findings(hasRestKey: true, classes: [])
        #expect(
            findings[1]
                == RemoteFinding(
                    "keys", .failed, "The remote rejects the keys: unauthorized",
                    hint: "compare --app-id and the keys with those of the server"))
        #expect(findings[2] == RemoteFinding("chosenIds", .notAsked, "the keys are not accepted"))
    }

    @Test func doctorAsksToCheckAnUnreachableAddress() {
        let reason = "the server cannot be reached"
        let findings = ParseDiagnosis(
            health: .failed(.unreachable(reason: "no such host")), keys: .notAsked(reason: reason),
            acceptsChosenIds: .notAsked(reason: reason), classes: .notAsked(reason: reason), remoteIsReplica: false
        ).findings(hasRestKey: true, classes: [])
        #expect(findings[0].hint == "check the address; if it is right, the gateway works offline and syncs later")
        let faulty = ParseDiagnosis(
            health: .failed(.faulty(status: 500, reason: "broken")), keys: .notAsked(reason: reason),
            acceptsChosenIds: .notAsked(reason: reason), classes: .notAsked(reason: reason), remoteIsReplica: false
        ).findings(hasRestKey: true, classes: [])
        #expect(faulty[0].hint == "the gateway works offline and syncs later")
    }

    @Test func doctorSuggestsALaterTryAfterARateLimit() {
        let findings = ParseDiagnosis(
            health: .known("ok"), keys: .failed(.overloaded(retryAfter: nil, reason: "too many requests")),
            acceptsChosenIds: .notAsked(reason: ""), classes: .notAsked(reason: ""), remoteIsReplica: false
        ).findings(hasRestKey: true, classes: [])
        #expect(findings[1].hint == "the remote limits its requests; try again later")
    }

    @Test(arguments: [404, 200])
    func doctorReportsAServerThatIsNoParseServerOnce(status: Int) {
        let error = RemoteError.misaddressed(status: status, reason: "it sends a web page")
        let findings = ParseDiagnosis(
            health: .failed(error), keys: .failed(error), acceptsChosenIds: .notAsked(reason: ""),
            classes: .notAsked(reason: ""), remoteIsReplica: false
        ).findings(hasRestKey: false, classes: ["Holiday"])
        #expect(
            findings == [
                RemoteFinding(
                    "remote", .failed,
                    "The server at this address is not a Parse Server: it sends a web page, with status \(status)",
                    hint: "check the address and its path; a Parse Server is often mounted at /parse")
            ])
    }

    @Test func doctorReportsAMissingHealthEndpointAsNoFailure() {
        let findings = ParseDiagnosis(
            health: .failed(.misaddressed(status: 404, reason: "")), keys: .known(()), acceptsChosenIds: .known(true),
            classes: .known([]), remoteIsReplica: false
        ).findings(hasRestKey: false, classes: ["Holiday"])
        #expect(
            findings.first
                == RemoteFinding(
                    "health", .noted, "The remote has no health endpoint, but it answers other requests."))
        #expect(
            findings.last
                == RemoteFinding(
                    "class", .noted, "Holiday has no objects on the remote yet. The first object creates the class."))
    }

    @Test func doctorRefusesAReplicaAsRemote() {
        let findings = ParseDiagnosis(
            health: .known("ok"), keys: .known(()), acceptsChosenIds: .known(true), classes: .known([]),
            remoteIsReplica: true
        ).findings(hasRestKey: false, classes: [])
        #expect(findings.map(\.text) == ["The remote is a replica. A replica cannot be a remote."])
        #expect(findings.allSatisfy { $0.state == .failed })
    }
}
