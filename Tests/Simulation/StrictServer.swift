import HTTPClient
import HTTPTypes
import ParseModel
import StoreService

/// The rules of the server in runs of kind `strict`: the limits and the hidden error texts of Parse Server 9 and 10.
/// They hold during the whole run.
///
/// - A batch over a limit is refused with code 107. Half of the servers name the limit.
/// - Some requests are refused at random as if over a rate limit: with status 429, a batch also with code 100.
/// - Inner queries return only a few objects, without a sign that others are missing.
/// - A write with the URL of a file is refused with code 130.
/// - Error texts contain no reason, and some answers to writes have only the necessary members.
struct StrictServer: Sendable {
    private static let itemsMax = 2...10
    private static let innerResultsMax = 1...3
    private static let rateLimitShare = 0.05
    private static let hidden = "Permission denied"

    private let random: PartyRandom
    private let itemsMax: Int
    private let innerResultsMax: Int
    private let namesLimit: Bool

    /// - Returns: nil in runs of other kinds.
    init?(_ kind: SeedKind, _ random: PartyRandom) {
        guard kind == .strict else { return nil }
        self.random = random
        itemsMax = random.within(Self.itemsMax)
        innerResultsMax = random.within(Self.innerResultsMax)
        namesLimit = random.chance(0.5)
    }

    /// Answers a request by these rules.
    /// - Parameters:
    ///   - store: the objects that inner queries search.
    ///   - execute: executes a request without these rules.
    func answer(
        _ request: HTTPClientRequest, in store: any ObjectStore,
        execute: (HTTPClientRequest) async -> HTTPClientResponse
    ) async -> HTTPClientResponse {
        let items = ServerRefusals.items(of: request)
        if let refusal = refusal(of: items) { return refusal }
        let refused = refusedPlaces(in: request, items)
        guard let rest = ServerRefusals.rest(of: request, without: refused) else {
            return ServerRefusals.answer(to: request, refusing: refused, with: Self.refusedFile, besides: nil)
                .map { Self.response($0.0, $0.1) } ?? Self.response(500, "")
        }
        var answer = await execute(cut(rest, in: store))
        if !refused.isEmpty,
            let whole = ServerRefusals.answer(
                to: request, refusing: refused, with: Self.refusedFile, besides: answer.body)
        {
            answer.body = Array(whole.1.utf8)
        }
        answer.body = shown(answer.body, isWrite: !request.isRepeatable)
        return answer
    }

    // MARK: Refusals

    private static let refusedFile: JSONObject = ["code": 130, "error": .string(hidden)]

    private func refusal(of items: [JSONValue]?) -> HTTPClientResponse? {
        if random.chance(Self.rateLimitShare) {
            if items != nil, random.chance(0.5) {
                return Self.response(400, #"{"code":100,"error":"\#(Self.hidden)"}"#)
            }
            var answer = Self.response(429, #"{"error":"\#(Self.hidden)"}"#)
            if random.chance(0.5) { answer.headers[.retryAfter] = String(random.within(1...20)) }
            return answer
        }
        guard let items, items.count > itemsMax else { return nil }
        let text = "Batch request contains \(items.count) sub-requests, which exceeds the limit of \(itemsMax)."
        return Self.response(400, #"{"code":107,"error":"\#(namesLimit ? text : Self.hidden)"}"#)
    }

    /// The positions of the changes that contain the URL of a file.
    private func refusedPlaces(in request: HTTPClientRequest, _ items: [JSONValue]?) -> Set<Int> {
        guard !request.isRepeatable else { return [] }
        guard let items else {
            return (try? JSONReader.read(request.wholeBody))?.hasFileURL == true ? [0] : []
        }
        return Set(items.indices.filter { items[$0].hasFileURL })
    }

    private static func response(_ status: Int, _ body: String) -> HTTPClientResponse {
        HTTPClientResponse(
            status: .init(code: status), headers: [.contentType: "application/json"], body: Array(body.utf8))
    }

    // MARK: Inner queries

    /// The request with inner queries replaced by their first results.
    private func cut(_ request: HTTPClientRequest, in store: any ObjectStore) -> HTTPClientRequest {
        guard request.isRepeatable else { return request }
        var request = request
        if let json = try? JSONReader.read(request.body) {
            let known = cut(json, in: store)
            if known != json { request.body = known.jsonBytes }
        }
        let parts = request.url.split(separator: "?", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[1].contains("elect") else { return request }
        let given = PercentCoding.parameters(ofQuery: Array(parts[1].utf8))
        let query = given.map { name, value in
            guard let text = value.string, let json = try? JSONReader.read(text) else {
                return "\(name)=\(PercentCoding.encoded(value.string ?? value.jsonText))"
            }
            return "\(name)=\(PercentCoding.encoded(cut(json, in: store).jsonText))"
        }
        request.url = parts[0] + "?" + query.joined(separator: "&")
        return request
    }

    private func cut(_ value: JSONValue, in store: any ObjectStore) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { cut($0, in: store) })
        case .object(let object):
            var known = JSONObject()
            for (key, member) in object {
                guard key == "$select" || key == "$dontSelect", let results = results(of: member, in: store) else {
                    known[key] = cut(member, in: store)
                    continue
                }
                known[key == "$select" ? "$in" : "$nin"] = .array(results)
            }
            return .object(known)
        default: return value
        }
    }

    private func results(of operand: JSONValue, in store: any ObjectStore) -> [JSONValue]? {
        guard let inner = operand.object?["query"]?.object, let key = operand.object?["key"]?.string,
            let className = inner["className"]?.string,
            var query = try? ParseQuery(parameters: ["where": inner["where"] ?? [:], "order": "objectId"])
        else { return nil }
        query.limit = innerResultsMax
        var results: [JSONValue] = []
        _ = try? store.find(className, query, as: .master, timeout: .unlimited) { object in
            if let value = try? JSONReader.read(object.json).object?[key] { results.append(value) }
        }
        return results
    }

    // MARK: Answers

    /// The answer without error texts. For half of the writes, also without unnecessary members.
    private func shown(_ body: [UInt8], isWrite: Bool) -> [UInt8] {
        guard let json = try? JSONReader.read(body) else { return body }
        let isBare = isWrite && random.chance(0.5)
        if let items = json.array {
            return JSONValue.array(
                items.map { item in
                    if let error = item.object?["error"]?.object { return ["error": .object(Self.hidden(error))] }
                    guard isBare, let success = item.object?["success"]?.object else { return item }
                    return ["success": .object(Self.bare(success))]
                }
            ).jsonBytes
        }
        guard let object = json.object else { return body }
        return (object["error"] == nil ? isBare ? Self.bare(object) : object : Self.hidden(object)).jsonBytes
    }

    private static func hidden(_ error: JSONObject) -> JSONObject {
        var error = error
        if error["error"]?.string != nil { error["error"] = .string(hidden) }
        return error
    }

    private static func bare(_ answer: JSONObject) -> JSONObject {
        var answer = answer
        answer.removeAll { !["objectId", "createdAt", "updatedAt", "name", "url"].contains($0) }
        return answer
    }
}

extension JSONValue {
    fileprivate var hasFileURL: Bool { files.contains { $0.url != nil } }
}
