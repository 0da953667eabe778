import GatewayAPI
import LocalStore
import ParseModel
import Synchronization

/// A sync engine that notes what it was asked, knows one of each thing, by the number 1, and does nothing.
final class FakeSync: SyncControl {
    private let heard = Mutex<[String]>([])
    private let outcome: SyncRun
    private let state: Mutex<JSONValue>
    private let mustFail = Mutex(false)
    private let observers = Observers()

    init(outcome: SyncRun = .finished(summary: ["pulled": 2]), state: JSONValue = "idle") {
        self.outcome = outcome
        self.state = Mutex(state)
    }

    /// - Parameter state: what `status` shows from now on.
    func change(to state: JSONValue) {
        self.state.withLock { $0 = state }
        observers.notify()
    }

    /// The next `status` throws.
    func failOnce() { mustFail.withLock { $0 = true } }

    var calls: [String] { heard.withLock { $0 } }
    private func note(_ call: String) { heard.withLock { $0.append(call) } }

    private func note(_ call: String, _ id: Int64, _ object: JSONObject? = nil) throws {
        guard id == 1 else { throw StoreError.notFound(what: "\(call) \(id)") }
        note("\(call) \(id)" + (object.map { " " + $0.jsonText } ?? ""))
    }

    func start(_ request: SyncRequest) async { note("start" + request.short) }
    func run(_ request: SyncRequest) async -> SyncRun {
        note("run" + request.short)
        return outcome
    }
    func status() async throws -> JSONObject {
        let fails = mustFail.withLock { mustFail in
            defer { mustFail = false }
            return mustFail
        }
        if fails { throw StoreError.tookTooLong }
        return ["state": state.withLock { $0 }, "pending": 3]
    }
    func onChange(_ observer: @escaping @Sendable () -> Void) { observers.add(observer) }
    func pause() async throws { note("pause") }
    func resume() async throws { note("resume") }
    func pending() async throws -> [JSONObject] { [["id": 1]] }
    func undoPending(_ id: Int64) async throws {
        if id == 2 { throw StoreError.notPossible(reason: "It is being sent.") }
        try note("undo", id)
    }
    func rejections() async throws -> [JSONObject] { [["id": 1, "code": 119]] }
    func retryRejection(_ id: Int64, object: JSONObject?) async throws { try note("retry", id, object) }
    func giveUpRejection(_ id: Int64) async throws { try note("give up", id) }
    func conflicts(resolved: Bool) async throws -> [JSONObject] { [["id": 1, "resolved": .bool(resolved)]] }
    func resolveConflict(_ id: Int64, keep: String?, object: JSONObject?) async throws {
        try note("keep \(keep ?? "nothing")", id, object)
    }
    func removals() async throws -> [JSONObject] { [["id": 1, "count": 7]] }
    func confirmRemoval(_ id: Int64) async throws { try note("confirm", id) }
    func keepRemoval(_ id: Int64) async throws { try note("keep removal", id) }
    func keepsMembers(of className: String) async throws -> Bool { className != "Far" }
    func keepsWhole(_ className: String) async throws -> Bool { !["Far", "Marked"].contains(className) }
    func opFields() async throws -> [String: String] { ["Marked": "ops"] }
    func askRemote(_ className: String, _ parameters: JSONObject) async throws -> JSONObject {
        note("ask \(className) \(parameters.jsonText)")
        return ["results": [["objectId": "far"]]]
    }
    func letQueuedWritesPass(naming things: NamedThings) async throws {
        note("pass \(things.texts.union(things.pointers.map(\.objectId)).sorted().joined(separator: " "))")
    }
    func idsOnRemote(of className: String) async throws -> [String] { ["a", "b"] }
    func remoteHasDropped(_ objectIds: [String], of className: String) async throws {
        note("dropped \(className) \(objectIds.joined(separator: " "))")
    }
    func remoteSchemaHasChanged() async { note("schema changed") }
    func classes() async throws -> [JSONObject] { [["name": "Holiday"], ["name": "Birthday"]] }
    func registerClass(_ name: String, options: JSONObject) async throws -> JSONObject {
        note("register \(name) \(options.jsonText)")
        return ["name": .string(name)]
    }
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws {
        note("unregister \(name) \(purge)" + (force ? " by force" : ""))
    }
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int {
        note("purge \(name) \(query == nil ? "all" : "some")" + (force ? " by force" : ""))
        return 2
    }
}

extension SyncRequest {
    fileprivate var short: String { (phase.map { " \($0)" } ?? "") + (audits ? " audit" : "") }
}
