import ParseModel
import RemoteService
import StoreService
import SyncModel
import Synchronization

@testable import GatewayAPI

/// A fake sync engine. It records its calls and does nothing. It has one conflict, rejection, pending change and
/// removal, each with the number 1.
final class FakeSync: SyncControl {
    private let heard = Mutex<[String]>([])
    private let outcome: SyncOutcome
    private let report: Mutex<SyncReport>
    private let mustFail = Mutex(false)
    private let observers = Observers()

    init(outcome: SyncOutcome = .finished(SyncSummary()), state: SyncStatus.State = .idle) {
        self.outcome = outcome
        let figures = SyncFigures(
            pending: 3, rejections: 0, conflicts: 0, removals: 0, hasLocalFiles: false, isPaused: false,
            lastSyncAt: nil,
            classes: [])
        var status = SyncStatus()
        status.state = state
        report = Mutex(SyncReport(status: status, figures: figures))
    }

    /// - Parameters:
    ///   - state: the state that `status` shows from now on.
    ///   - failures: the number of failures that the circuit breaker has counted.
    func change(to state: SyncStatus.State, failures: Int = 0) {
        report.withLock { report in
            report.status.state = state
            report.status.circuit.failures = failures
        }
        observers.notify()
    }

    /// Makes the status show one class.
    func showClass(initialSyncComplete: Bool) {
        let figures = SyncFigures.Class(
            name: "Film", objects: 0, pending: 0, isPulled: true, initialSyncComplete: initialSyncComplete)
        report.withLock { report in
            var changed = report.figures
            changed.classes = [figures]
            report = SyncReport(status: report.status, figures: changed)
        }
    }

    func remoteClasses() async -> [String]? { ["Task", "Film"] }

    /// Makes the next `status` throw.
    func failOnce() { mustFail.withLock { $0 = true } }

    var calls: [String] { heard.withLock { $0 } }
    private func note(_ call: String) { heard.withLock { $0.append(call) } }

    private func note(_ call: String, _ id: Int64, _ object: JSONObject? = nil) throws {
        guard id == 1 else { throw StoreError.notFound(what: "\(call) \(id)") }
        note("\(call) \(id)" + (object.map { " " + $0.jsonText } ?? ""))
    }

    func start(_ request: SyncRequest) async { note("start" + request.short) }
    func run(_ request: SyncRequest) async -> SyncOutcome {
        note("run" + request.short)
        return outcome
    }
    func status(as principal: Principal) async throws -> SyncReport {
        let fails = mustFail.withLock { mustFail in
            defer { mustFail = false }
            return mustFail
        }
        if fails { throw StoreError.tookTooLong }
        return report.withLock { $0 }
    }
    func onChange(_ observer: @escaping @Sendable () -> Void) { observers.add(observer) }
    func waitForFirstSync(of className: String) async throws -> Bool {
        note("first \(className)")
        return true
    }
    func describes(_ className: String) async -> Bool {
        note("describe \(className)")
        return false
    }
    func pause() async throws { note("pause") }
    func resume() async throws { note("resume") }
    func pending(after: Int64?, as principal: Principal) async throws -> [PendingChange] {
        after.map { $0 >= 1 } == true ? [] : [Self.change()]
    }
    func undoPending(_ id: Int64, match: TagMatch?, as principal: Principal) async throws {
        if id == 2 { throw StoreError.notPossible(reason: "It is being sent.") }
        try note("undo", id)
    }
    func rejections(after: Int64?, as principal: Principal) async throws -> [PendingChange] {
        after.map { $0 >= 1 } == true ? [] : [Self.change(code: 119)]
    }
    func retryRejection(_ id: Int64, object: JSONObject?, match: TagMatch?, as principal: Principal) async throws {
        try note("retry", id, object)
    }
    func giveUpRejection(_ id: Int64, match: TagMatch?, as principal: Principal) async throws {
        try note("give up", id)
    }
    func conflicts(resolved: Bool, after: Int64?, as principal: Principal) async throws -> [ListedConflict] {
        after.map { $0 <= 1 } == true ? [] : [Self.conflict(resolved: resolved)]
    }
    func resolveConflict(
        _ id: Int64, keep: String?, object: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws {
        try note("keep \(keep ?? "nothing")", id, object)
    }
    func removals(as principal: Principal) async throws -> [HeldRemoval] {
        [
            HeldRemoval(
                id: 1, className: "Film", reason: .tooMany, objectIds: ["a", "b"], olderIds: ["c"], total: 4,
                foundAt: Self.time)
        ]
    }
    func confirmRemoval(_ id: Int64, as principal: Principal) async throws { try note("confirm", id) }
    func keepRemoval(_ id: Int64, as principal: Principal) async throws { try note("keep removal", id) }
    func keepsMembers(of className: String) async throws -> Bool { className != "Far" }
    func keepsWhole(_ className: String) async throws -> Bool { !["Far", "Marked"].contains(className) }
    func opFields() async throws -> [String: String] { ["Marked": "ops"] }
    func askRemote(_ className: String, _ parameters: JSONObject) async throws -> JSONObject {
        note("ask \(className) \(parameters.jsonText)")
        return ["results": [["objectId": "far"]]]
    }
    func waitForQueuedWrites(naming things: NamedThings, by principal: Principal) async throws {
        note("pass \(things.texts.union(things.pointers.map(\.objectId)).sorted().joined(separator: " "))")
    }
    func withoutSyncs<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await body()
    }
    func idsOnRemote(of className: String) async throws -> [String] { ["a", "b"] }
    func noteRemoteDeletion(_ objectIds: [String], of className: String) async throws {
        note("dropped \(className) \(objectIds.joined(separator: " "))")
    }
    func noteRemoteSchemaChange() async { note("schema changed") }
    func classes() async throws -> [SyncedClass] { ["Holiday", "Birthday"].map { Self.syncedClass($0) } }
    func pullOperators(of className: String) -> Set<String>? { ["$gt"] }
    func storesParseValues(of className: String) -> Bool { className != "Task" }
    func registerClass(_ name: String, _ change: ClassOptionsChange) async throws -> SyncedClass? {
        var (options, pulls) = (ClassOptions(), [NamedPull]())
        change.apply(to: &options, &pulls)
        note("register \(name) \(options.policy.rawValue) \(pulls.map(\.name).joined(separator: " "))")
        return Self.syncedClass(name, SyncClass(name: name, options: options, pulls: pulls.map { PullState(pull: $0) }))
    }
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws {
        note("unregister \(name) \(purge)" + (force ? " by force" : ""))
    }
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int {
        note("purge \(name) \(query == nil ? "all" : "some")" + (force ? " by force" : ""))
        return 2
    }
}

extension FakeSync {
    fileprivate static let time = ParseDate(milliseconds: 0)

    static func conflict(resolved: Bool = false) -> ListedConflict {
        ListedConflict(
            id: 1, className: "Film", objectId: "a", kind: .fields, fields: ["n"], base: #"{"n":1}"#, local: nil,
            remote: #"{"n":2}"#, candidates: [], operations: nil, foundAt: time,
            resolution: resolved ? "local" : nil, resolvedAt: resolved ? time : nil)
    }

    static func change(code: Int? = nil) -> PendingChange {
        PendingChange(
            id: 1, className: "Film", objectId: "a", step: PendingStep(kind: .delete, by: .gateway, madeAt: time),
            attempts: 0,
            code: code, error: nil, base: nil)
    }

    fileprivate static func syncedClass(_ name: String, _ syncClass: SyncClass? = nil) -> SyncedClass {
        SyncedClass(
            figures: SyncFigures.Class(name: name, objects: 2, pending: 0, isPulled: true, initialSyncComplete: true),
            syncClass: syncClass)
    }
}

extension SyncRequest {
    fileprivate var short: String {
        (pushes ? "" : " pull") + (pulls ? "" : " push") + (audits ? " audit" : "")
    }
}
