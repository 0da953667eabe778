import ParseModel
import StoreService

/// The result of an import, or of its check.
struct ImportReport: Sendable {
    /// A refused object.
    struct Refusal: Sendable {
        /// The line of the file on which the object begins, counted from 1.
        let line: Int
        let objectId: String?
        let code: Int?
        let reason: String

        var json: JSONObject {
            [
                "line": .int(line), "objectId": objectId.map(JSONValue.string) ?? .null,
                "code": code.map { .int($0) } ?? .null, "error": .string(reason),
            ]
        }
    }

    /// The maximum number of refusals that the report lists. All are counted.
    private static let refusalsMax = 1000

    private(set) var made = 0
    private(set) var changed = 0
    private(set) var unchanged = 0
    private(set) var refused = 0
    private(set) var refusals: [Refusal] = []

    var objects: Int { made + changed + unchanged + refused }

    mutating func note(_ outcome: ImportOutcome) {
        switch outcome {
        case .made: made += 1
        case .changed: changed += 1
        case .unchanged: unchanged += 1
        }
    }

    mutating func note(_ error: any Error, line: Int, objectId: String?) {
        refused += 1
        guard refusals.count < Self.refusalsMax else { return }
        let answer = ErrorAnswer(error)
        refusals.append(
            Refusal(line: line, objectId: objectId, code: answer.body["code"]?.int, reason: answer.text))
    }

    var json: JSONObject {
        [
            "objects": .int(objects), "made": .int(made), "changed": .int(changed), "unchanged": .int(unchanged),
            "refused": .int(refused), "refusals": .array(refusals.map { .object($0.json) }),
        ]
    }
}
