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

    /// - Throws: `ParseError` 159 (duplicate request) if the id is already stored.
    func take(_ id: String) async throws {
        guard try await store.takeRequestId(id, for: lifetime) else {
            throw ParseError(.duplicateRequest, "Duplicate request")
        }
    }
}
