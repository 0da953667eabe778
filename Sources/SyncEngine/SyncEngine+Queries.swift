import ParseModel
import RemoteService

/// Single reads of the remote outside of a sync.
extension SyncEngine {
    /// Sends the remote a query about data that is not stored locally, and returns the answer.
    /// - Throws: also `.offline` while syncing is paused, and `.refused` if this kind of remote does not support such queries.
    package func ask(_ className: String, _ parameters: JSONObject) async throws(SyncError) -> JSONObject {
        guard !isPaused else { throw .offline(reason: "syncing is paused", retryAfter: nil) }
        guard let calls = remote.calls else {
            throw .refused(
                code: ParseError.Code.commandUnavailable.rawValue,
                message: "This kind of remote does not answer queries of its own.")
        }
        let query = { @Sendable () async throws(RemoteError) in
            try await calls.query(className, parameters: parameters)
        }
        do throws(RemoteError) {
            guard let circuit else { return try await query() }
            return try await circuit.send(query)
        } catch {
            throw SyncError(error)
        }
    }

    /// The query operators that the remote supports in a pull of the class; nil for all.
    package nonisolated func operators(of className: String) -> Set<String>? {
        remote.capabilities(of: className).operators
    }

    /// Whether the remote stores all of Parse's values in objects of the class.
    package nonisolated func storesParseValues(of className: String) -> Bool {
        remote.capabilities(of: className).values == .any
    }
}
