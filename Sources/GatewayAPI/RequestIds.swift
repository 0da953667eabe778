import LocalStore
import ParseModel

/// `X-Parse-Request-Id`: of requests with one id only the first is carried out, where the settings ask for that, as by Parse
/// Server's `idempotencyOptions`. An id is taken before its request is carried out, so that the answer to a second one tells nothing of
/// the outcome of the first.
struct RequestIds: Sendable {
    let store: any ObjectStore
    /// How long an id is remembered.
    let lifetime: Duration

    /// The creates and updates that `promiseEnsureIdempotency` of Parse Server guards. Forwarded requests are the
    /// remote's matter.
    private static let endpoints: Set<Endpoint> = [
        .createObject, .updateObject, .signUp, .updateUser, .createInstallation, .updateInstallation,
    ]

    /// Nil where the request has none, or may be repeated.
    static func id(of call: Call) -> String? {
        endpoints.contains(call.endpoint) ? call.parse.credentials.requestId : nil
    }

    /// - Throws: `ParseError` 159 where the id was taken before.
    func take(_ id: String) async throws {
        guard try await store.takeRequestId(id, for: lifetime) else {
            throw ParseError(.duplicateRequest, "Duplicate request")
        }
    }
}
