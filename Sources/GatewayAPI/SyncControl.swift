import ParseModel

/// What the local API needs of the sync engine. All objects are the JSON that `openapi.yaml` describes.
/// Failing calls throw `StoreError.notFound`, `StoreError.notPossible` or `ParseError`.
package protocol SyncControl: Sendable {
    /// Starts a sync, or joins the one that runs; does not wait.
    func start() async
    /// Starts or joins a sync and waits for its end.
    func run() async -> SyncRun
    /// The answer of `GET /sync`.
    func status() async throws -> JSONObject
    func pause() async throws
    func resume() async throws

    func pending() async throws -> [JSONObject]
    func undoPending(_ id: Int64) async throws
    func rejections() async throws -> [JSONObject]
    /// - Parameter object: field values that replace the refused ones; nil to send the same again.
    func retryRejection(_ id: Int64, object: JSONObject?) async throws
    func giveUpRejection(_ id: Int64) async throws
    /// - Parameter resolved: those that were decided, by a policy or by a person, instead of the open ones.
    func conflicts(resolved: Bool) async throws -> [JSONObject]
    /// - Parameter object: with `keep: merge`, field values to set on top of the remote's state.
    func resolveConflict(_ id: Int64, keep: String, object: JSONObject?) async throws
    func removals() async throws -> [JSONObject]
    func confirmRemoval(_ id: Int64) async throws
    func keepRemoval(_ id: Int64) async throws

    func classes() async throws -> [JSONObject]
    /// - Returns: the class as `classes()` would list it.
    func registerClass(_ name: String, options: JSONObject) async throws -> JSONObject
    func unregisterClass(_ name: String, purge: Bool) async throws
}

/// How a sync that somebody waited for ended.
package enum SyncRun: Sendable {
    case finished(summary: JSONObject)
    /// The remote could not be reached or did not answer usably.
    case unreachable(reason: String)
    /// The remote refused our keys.
    case unauthorized(reason: String)
    /// Syncing is paused ("work offline").
    case paused
    /// The local store failed.
    case failed(reason: String)
}
