import Foundation
import ParseModel
import Testing

@testable import Gateway

/// Rows of the version table about bounds for complex requests. The master key is exempt from each bound.
enum ComplexityRows {
    static let rows = [
        CompatibilityRow(
            "batch-request-limit", seven: "200",
            nine: "400/107 Batch request contains 101 sub-requests, which exceeds the limit of 100."
        ) { gateway in
            let item: JSONValue = ["method": "POST", "path": "/classes/Note", "body": [:]]
            let body: JSONObject = ["requests": .array(Array(repeating: item, count: 101))]
            let answer = try await gateway.send("POST /batch", body)
            #expect(try await gateway.send("POST /batch", body, master: true).status == 200)
            return answer.status == 200 ? "200" : answer.words
        },
        CompatibilityRow("include-depth", seven: "200 200", nine: "200 400/102") { gateway in
            try await codes(["include=\(path(10))", "include=\(path(11))"], gateway)
        },
        CompatibilityRow("include-count", seven: "200 200", nine: "200 400/102") { gateway in
            let pairs = { (count: Int) in (0..<count).map { "a\($0).b" }.joined(separator: ",") }
            return try await codes(["include=\(pairs(50))", "include=\(pairs(51))"], gateway)
        },
        CompatibilityRow("query-depth", seven: "200 200", nine: "200 400/102") { gateway in
            func nested(_ levels: Int) -> JSONObject {
                (0..<levels).reduce(["n": 1]) { inner, _ in ["$or": [.object(inner)]] }
            }
            return try await codes([condition(nested(10)), condition(nested(11))], gateway)
        },
        CompatibilityRow("subquery-depth", seven: "200 200", nine: "200 400/102") { gateway in
            func nested(_ levels: Int) -> JSONObject {
                (0..<levels).reduce(["n": 1]) { inner, _ in
                    ["a": ["$inQuery": ["className": "Note", "where": .object(inner)]]]
                }
            }
            return try await codes([condition(nested(10)), condition(nested(11))], gateway)
        },
        CompatibilityRow("regex-forbidden", "400/102 $regex operator is not allowed") { gateway in
            let strict = try CompatibilityGateway(gateway.version) { $0.requestComplexity = [.allowRegex: 0] }
            let pattern: JSONObject = ["n": ["$regex": "a"]]
            #expect(try await gateway.find("/classes/Note", where: pattern).status == 200)
            #expect(try await strict.find("/classes/Note", where: pattern, master: true).status == 200)
            return try await strict.find("/classes/Note", where: pattern).words
        },
    ]

    private static func path(_ levels: Int) -> String { Array(repeating: "a", count: levels).joined(separator: ".") }

    private static func condition(_ conditions: JSONObject) -> String {
        "where=" + (conditions.jsonText.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// Checks that the master key may send each query, and returns the status and code of each without the key.
    private static func codes(_ queries: [String], _ gateway: CompatibilityGateway) async throws -> String {
        var codes: [String] = []
        for query in queries {
            #expect(try await gateway.send("GET /classes/Note?" + query, master: true).status == 200)
            codes.append(try await gateway.send("GET /classes/Note?" + query).codes)
        }
        return codes.joined(separator: " ")
    }
}
