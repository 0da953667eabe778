import GatewayAPI
import ParseModel
import RemoteService
import StoreService

@testable import SyncEngine

/// A sync engine that never syncs, for replicas in tests of other parts.
struct StillSync: SyncControl {
    private let none = StoreError.notFound(what: "the item")

    func start(_ request: SyncRequest) async {}
    func run(_ request: SyncRequest) async -> SyncOutcome { .paused }
    func status(as principal: Principal) async throws -> SyncReport { throw none }
    func onChange(_ observer: @escaping @Sendable () -> Void) {}
    func remoteClasses() async -> [String]? { nil }
    func pause() async throws {}
    func resume() async throws {}
    func pending(after: Int64?, as principal: Principal) async throws -> [PendingChange] { [] }
    func undoPending(_ id: Int64, match: TagMatch?, as principal: Principal) async throws { throw none }
    func rejections(after: Int64?, as principal: Principal) async throws -> [PendingChange] { [] }
    func retryRejection(_ id: Int64, object: JSONObject?, match: TagMatch?, as principal: Principal) async throws {
        throw none
    }
    func giveUpRejection(_ id: Int64, match: TagMatch?, as principal: Principal) async throws { throw none }
    func conflicts(resolved: Bool, after: Int64?, as principal: Principal) async throws -> [ListedConflict] { [] }
    func resolveConflict(
        _ id: Int64, keep: String?, object: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws {
        throw none
    }
    func removals(as principal: Principal) async throws -> [HeldRemoval] { [] }
    func confirmRemoval(_ id: Int64, as principal: Principal) async throws { throw none }
    func keepRemoval(_ id: Int64, as principal: Principal) async throws { throw none }
    func keepsMembers(of className: String) async throws -> Bool { true }
    func waitForFirstSync(of className: String) async throws -> Bool { true }
    func describes(_ className: String) async -> Bool { false }
    func keepsWhole(_ className: String) async throws -> Bool { true }
    func opFields() async throws -> [String: String] { [:] }
    func askRemote(_ className: String, _ parameters: JSONObject) async throws -> JSONObject { throw none }
    func waitForQueuedWrites(naming things: NamedThings, by principal: Principal) async throws {}
    func withoutSyncs<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await body()
    }
    func idsOnRemote(of className: String) async throws -> [String] { [] }
    func noteRemoteDeletion(_ objectIds: [String], of className: String) async throws {}
    func noteRemoteSchemaChange() async {}
    func classes() async throws -> [SyncedClass] { [] }
    func pullOperators(of className: String) -> Set<String>? { nil }
    func storesParseValues(of className: String) -> Bool { true }
    func registerClass(_ name: String, _ change: ClassOptionsChange) async throws -> SyncedClass? { nil }
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws {}
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int { 0 }
}
