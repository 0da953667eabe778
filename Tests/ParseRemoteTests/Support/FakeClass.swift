import Foundation
import HTTPClient
import HTTPTypes
import ParseModel

/// A simulated class of a Parse Server for reads. Its times have microseconds, which the API cuts off. The class
/// limits the page size, and its collation differs from the byte order of ids.
struct FakeClass: Sendable {
    struct Row: Sendable, Hashable {
        let objectId: String
        let createdMicroseconds: Int64
        let updatedMicroseconds: Int64
    }

    var rows: [Row]
    var pageMax: Int
    var date = HTTPClientResponse.date

    func answer(_ request: HTTPClientRequest) -> ScriptedTransport.Answer {
        if request.path.hasSuffix("/batch") {
            let items = request.json?.object?["requests"]?.array ?? []
            return reply(
                200,
                .array(
                    items.map { item in
                        switch list(item.object?["body"]?.object ?? [:]) {
                        case .success(let answer): ["success": answer]
                        case .failure(let refusal): ["error": ["code": 102, "error": .string(refusal.message)]]
                        }
                    }))
        }
        var parameters = request.query
        parameters["limit"] = parameters["limit"]?.string.flatMap { Int($0) }.map { .int($0) }
        parameters["count"] = parameters["count"]?.string.flatMap { Int($0) }.map { .int($0) }
        if request.method == .post { parameters = request.json?.object ?? [:] }
        switch list(parameters) {
        case .success(let answer): return reply(200, answer)
        case .failure(let refusal): return reply(400, ["code": 102, "error": .string(refusal.message)])
        }
    }

    private func reply(_ status: Int, _ body: JSONValue) -> ScriptedTransport.Answer {
        .success(.make(status, body, headers: [.date: date]))
    }

    struct Refusal: Error { let message: String }

    private func list(_ parameters: JSONObject) -> Result<JSONValue, Refusal> {
        Result {
            let conditions = parameters["where"]?.object ?? [:]
            let found = try rows.filter { try matches($0, conditions) }
            let order = (parameters["order"]?.string ?? "objectId").split(separator: ",").map(String.init)
            let sorted = try found.sorted { a, b in try precedes(a, b, order) }
            let page = sorted.prefix(min(pageMax, parameters["limit"]?.int ?? 100))
            var answer: JSONObject = ["results": .array(page.map(json))]
            if parameters["count"] == 1 { answer["count"] = .int(found.count) }
            return .object(answer)
        }.mapError { $0 as? Refusal ?? Refusal(message: "\($0)") }
    }

    private func json(_ row: Row) -> JSONValue {
        let iso = { (microseconds: Int64) in ParseDate(milliseconds: microseconds / 1000).iso }
        return [
            "objectId": .string(row.objectId), "createdAt": .string(iso(row.createdMicroseconds)),
            "updatedAt": .string(iso(row.updatedMicroseconds)), "name": .string("row " + row.objectId),
        ]
    }

    private func matches(_ row: Row, _ conditions: JSONObject) throws -> Bool {
        try conditions.allSatisfy { field, condition in
            if field == "$or" {
                guard let branches = condition.array else { throw Refusal(message: "$or") }
                return try branches.contains { try matches(row, $0.object ?? [:]) }
            }
            guard let operators = condition.object, operators["__type"] == nil else {
                return try compare(row, field, condition) == 0
            }
            return try operators.allSatisfy { name, operand in
                switch name {
                case "$gt": try compare(row, field, operand) > 0
                case "$gte": try compare(row, field, operand) >= 0
                case "$lt": try compare(row, field, operand) < 0
                case "$in": try (operand.array ?? []).contains { try compare(row, field, $0) == 0 }
                case "$exists": operand == true
                default: throw Refusal(message: "bad constraint: \(name)")
                }
            }
        }
    }

    private func compare(_ row: Row, _ field: String, _ operand: JSONValue) throws -> Int {
        if field == "objectId" {
            guard let text = operand.string, !text.isEmpty else { throw Refusal(message: "bad id") }
            return collate(row.objectId, text)
        }
        guard let date = operand.object?["iso"]?.string.flatMap({ ParseDate(iso: $0) }) else {
            throw Refusal(message: "bad date")
        }
        return (try time(row, field) - date.milliseconds * 1000).signum().asInt
    }

    private func time(_ row: Row, _ field: String) throws -> Int64 {
        switch field {
        case "updatedAt": row.updatedMicroseconds
        case "createdAt": row.createdMicroseconds
        default: throw Refusal(message: "no field \(field)")
        }
    }

    private func precedes(_ a: Row, _ b: Row, _ order: [String]) throws -> Bool {
        for field in order {
            let difference =
                field == "objectId"
                ? collate(a.objectId, b.objectId) : (try time(a, field) - time(b, field)).signum().asInt
            if difference != 0 { return difference < 0 }
        }
        return false
    }

    /// Compares ids like a database with a language collation: `a` is before `B`, and among equal letters `A` is before `a`.
    private func collate(_ a: String, _ b: String) -> Int {
        let folded = (a.lowercased(), b.lowercased())
        if folded.0 != folded.1 { return folded.0 < folded.1 ? -1 : 1 }
        return a == b ? 0 : a < b ? -1 : 1
    }
}

extension Int64 {
    fileprivate var asInt: Int { Int(self) }
}
