import HTTPServer
import ParseModel
import StoreService

/// Checks `X-Parse-Request-Id`. Of several writes with the same id, only the first is executed, as with Parse Server's
/// `idempotencyOptions`. The id is stored before the write, so the refusal of a second write does not show the outcome of the
/// first.
struct RequestIdCheck: Sendable {
    let store: any ObjectStore
    /// The time for which an id is remembered.
    let lifetime: Duration

    /// The classes whose creates and updates have their request ids checked, as in `promiseEnsureIdempotency` of Parse Server.
    /// Nil stands for all classes of `/classes`.
    private static let guarded: Set<String?> = [nil, "_User", "_Installation"]

    /// The request id of a create or update whose class is in `guarded`; nil for any other request, and for a request without an
    /// id.
    static func id(of request: RoutedRequest) -> String? {
        guard let id = request.parse.credentials.requestId, let operation = request.route.policy.objects,
            operation.kind == .create || operation.kind == .update, guarded.contains(operation.className)
        else { return nil }
        return id
    }

    /// Executes a write, unless its id is already stored. The id is released if the write fails because the gateway or its
    /// remote is not available, so the client can send it again. The id of another failed write stays stored, as on Parse
    /// Server.
    /// - Throws: `ParseError` 159 (duplicate request) if the id is already stored.
    func once(_ id: String, _ write: () async throws -> HTTPServerResponse) async throws -> HTTPServerResponse {
        guard try await store.takeRequestId(id, for: lifetime) else {
            throw ParseError(.duplicateRequest, "Duplicate request")
        }
        do {
            return try await write()
        } catch {
            if Self.repeatable.contains(ErrorAnswer(error).status.code) { try? await store.releaseRequestId(id) }
            throw error
        }
    }

    /// The statuses of errors after which nothing was written: 503 (not available) and 507 (the disk is full).
    private static let repeatable: Set<Int> = [503, 507]
}
