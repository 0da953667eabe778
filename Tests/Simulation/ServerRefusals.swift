import HTTPClient
import HTTPTypes
import ParseModel

/// The refusals of the server in runs of kind `refusals`. It always refuses batches above a size. While there are
/// faults, it also refuses single changes, with the code that a Parse Server with an outdated schema cache answers.
struct ServerRefusals: Sendable {
    /// The share of changes that are refused.
    private static let share = 0.3

    private let random: PartyRandom
    /// The maximum number of items in one batch.
    private let itemsMax: Int
    /// The maximum size of the body of a batch in bytes.
    private let bytesMax: Int
    /// Whether the refusal of a batch names the limit.
    private let namesLimit: Bool

    /// Draws the server's limits from the seed. They are the same for all replicas.
    /// - Parameter name: the name of the replica whose requests are refused.
    /// - Returns: nil in runs of other kinds.
    init?(_ kind: SeedKind, seed: UInt64, of name: String) {
        guard kind == .refusals else { return nil }
        random = PartyRandom(seed: seed, of: "refusals of \(name)")
        let server = PartyRandom(seed: seed, of: "batch limit")
        itemsMax = server.within(2...5)
        bytesMax = server.chance(0.5) ? server.within(300...900) : .max
        namesLimit = server.chance(0.5)
    }

    /// The refusal of a whole batch because of its size; nil for other requests.
    func refusal(of request: HTTPClientRequest) -> (status: Int, body: String)? {
        guard let items = Self.items(of: request) else { return nil }
        if items.count > itemsMax {
            let text =
                namesLimit
                ? "Batch request contains \(items.count) sub-requests, which exceeds the limit of \(itemsMax)."
                : "too many operations"
            return (400, #"{"code":107,"error":"\#(text)"}"#)
        }
        let isTooLarge = items.count > 1 && request.body.count > bytesMax
        return isTooLarge ? (413, "<html>too large</html>") : nil
    }

    /// Chooses at random the changes of a request that are refused.
    /// - Returns: nil if none is refused. Otherwise the request without the refused changes (nil if none remains), and
    ///   the positions of the refused changes.
    func draw(for request: HTTPClientRequest) -> (rest: HTTPClientRequest?, refused: Set<Int>)? {
        guard let items = Self.items(of: request) else {
            guard request.url.contains("/classes/"), random.chance(Self.share) else { return nil }
            return (nil, [0])
        }
        let refused = Set(items.indices.filter { _ in random.chance(Self.share) })
        guard !refused.isEmpty else { return nil }
        return (Self.rest(of: request, without: refused), refused)
    }

    /// The request without its refused changes; nil if none remains.
    static func rest(of request: HTTPClientRequest, without refused: Set<Int>) -> HTTPClientRequest? {
        if refused.isEmpty { return request }
        guard let items = items(of: request) else { return nil }
        let kept = items.indices.filter { !refused.contains($0) }.map { items[$0] }
        guard !kept.isEmpty else { return nil }
        var rest = request
        rest.body = (["requests": .array(kept)] as JSONObject).jsonBytes
        return rest
    }

    /// The answer to a request with refused changes.
    /// - Parameters:
    ///   - refusal: the error of each refused change.
    ///   - answer: the body of the answer to the other changes; nil if there are none.
    /// - Returns: nil if `answer` does not answer a batch.
    static func answer(
        to request: HTTPClientRequest, refusing refused: Set<Int>, with refusal: JSONObject, besides answer: [UInt8]?
    ) -> (Int, String)? {
        guard let items = items(of: request) else { return (400, refusal.jsonText) }
        var others = (answer.flatMap { try? JSONReader.read($0).array } ?? [])[...]
        guard others.count + refused.count == items.count else { return nil }
        let answers = items.indices.compactMap { place in
            refused.contains(place) ? ["error": .object(refusal)] : others.popFirst()
        }
        return (200, JSONValue.array(answers).jsonText)
    }

    /// The error that a Parse Server with an outdated schema cache answers.
    static let refusal: JSONObject = ["code": 107, "error": "Could not add field title"]

    /// The items of a batch; nil for another request.
    static func items(of request: HTTPClientRequest) -> [JSONValue]? {
        guard request.url.hasSuffix("/batch") else { return nil }
        return (try? JSONReader.read(request.body))?.object?["requests"]?.array
    }
}
