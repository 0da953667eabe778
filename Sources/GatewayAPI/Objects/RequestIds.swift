import ParseModel
import StoreService

/// `X-Parse-Request-Id`: of several requests with one id only the first is executed, as with Parse Server's
/// `idempotencyOptions`. An id is stored before its request is executed, so the answer to a second request does not
/// show the outcome of the first.
struct RequestIds: Sendable {
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

    /// - Throws: `ParseError` 159 (duplicate request) if the id was used before.
    func take(_ id: String) async throws {
        guard try await store.takeRequestId(id, for: lifetime) else {
            throw ParseError(.duplicateRequest, "Duplicate request")
        }
    }
}
