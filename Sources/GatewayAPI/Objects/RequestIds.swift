import ParseModel
import StoreService

/// `X-Parse-Request-Id`: of requests with one id only the first is carried out, as with Parse Server's `idempotencyOptions`. An id
/// is taken before its request is carried out, so the answer to a second request tells nothing about the outcome of the first.
struct RequestIds: Sendable {
    let store: any ObjectStore
    /// How long an id is remembered.
    let lifetime: Duration

    /// The paths whose creates and updates `promiseEnsureIdempotency` of Parse Server guards: `/classes`, `/users` and
    /// `/installations`. Nil stands for the class that a path names.
    private static let guarded: Set<String?> = [nil, "_User", "_Installation"]

    /// Nil where the request has no id, or may be repeated.
    static func id(of request: RoutedRequest) -> String? {
        guard let id = request.parse.credentials.requestId, let operation = request.route.policy.objects,
            operation.kind == .create || operation.kind == .update, guarded.contains(operation.className)
        else { return nil }
        return id
    }

    /// - Throws: `ParseError` 159 where the id was taken before.
    func take(_ id: String) async throws {
        guard try await store.takeRequestId(id, for: lifetime) else {
            throw ParseError(.duplicateRequest, "Duplicate request")
        }
    }
}
