import ParseModel
import StoreService

/// Makes the decisions of `POST /sync/decisions`: each is about one pending change, rejection or conflict.
struct ManyDecisions: Sendable {
    private let control: any SyncControl
    private let principal: Principal
    private let items: [JSONValue]

    /// The maximum number of decisions in one request.
    private static let countMax = 100

    /// - Throws: `ParseError` 107 for a body without `decisions`, or with more than 100.
    init(_ body: JSONObject, _ control: any SyncControl, as principal: Principal) throws(ParseError) {
        guard let items = body["decisions"]?.array else {
            throw ParseError(.invalidJSON, "decisions must be an array")
        }
        guard items.count <= Self.countMax else {
            throw ParseError(.invalidJSON, "A request has at most \(Self.countMax) decisions.")
        }
        (self.items, self.control, self.principal) = (items, control, principal)
    }

    /// Makes the decisions. They run concurrently, so that they share transactions of the store.
    /// - Returns: the error of each decision, in the order of the request; nil for a decision that was made.
    func make() async -> [(any Error)?] {
        await withTaskGroup(of: (Int, (any Error)?).self) { group in
            for (place, item) in items.enumerated() {
                group.addTask {
                    do {
                        try await make(item)
                        return (place, nil)
                    } catch {
                        return (place, error)
                    }
                }
            }
            var errors: [(any Error)?] = Array(repeating: nil, count: items.count)
            for await (place, error) in group { errors[place] = error }
            return errors
        }
    }

    private func make(_ item: JSONValue) async throws {
        guard let fields = item.object, let id = fields["id"]?.int else {
            throw ParseError(.invalidJSON, "Each decision must be an object with list, id and decision.")
        }
        let match = try fields.text("tag").map(Preconditions.match)
        let object = try SyncRoutes.object(in: fields)
        let id64 = Int64(id)
        switch (fields.text("list"), fields.text("decision")) {
        case ("pending", "undo"): try await control.undoPending(id64, match: match, as: principal)
        case ("rejections", "retry"):
            try await control.retryRejection(id64, object: object, match: match, as: principal)
        case ("rejections", "discard"): try await control.giveUpRejection(id64, match: match, as: principal)
        case ("conflicts", let keep?):
            try await control.resolveConflict(id64, keep: keep, object: object, match: match, as: principal)
        default:
            throw ParseError(
                .invalidJSON,
                #"A decision is "undo" in the list "pending", "retry" or "discard" in "rejections", "#
                    + #"and what to keep in "conflicts"."#)
        }
    }
}
