import ParseModel
import Testing

@testable import Gateway

/// Rows about queries.
enum QueryRows {
    static let rows = [
        CompatibilityRow("unknown-operator", seven: "400/102", nine: "400/107") {
            try await $0.find("/classes/Note", where: ["n": ["$foo": 1]]).codes
        },
        CompatibilityRow("unknown-top-level-operator", "400/105 Invalid key name: $foo") {
            try await $0.find("/classes/Note", where: ["$foo": 1]).words
        },
        CompatibilityRow("list-operator-without-array", "400/107 400/107 400/107") { gateway in
            var answers: [String] = []
            for name in ["$in", "$nin", "$all"] {
                answers.append(try await gateway.find("/classes/Note", where: ["n": [name: 1]]).codes)
            }
            return answers.joined(separator: " ")
        },
        CompatibilityRow("rights-before-conditions", "400/119 400/119") { gateway in
            try await gateway.makeClass("Note", permissions: ["get": ["*": true]])
            let operators = [["n": ["$foo": 1]], ["$foo": 1]] as [JSONObject]
            var answers: [String] = []
            for conditions in operators {
                answers.append(try await gateway.find("/classes/Note", where: conditions).codes)
            }
            return answers.joined(separator: " ")
        },
        CompatibilityRow(
            "explain", seven: "200", nine: "400/102 Using the explain query parameter requires the master key"
        ) { gateway in
            #expect(try await gateway.send("GET /classes/Note?explain=true", master: true).status == 200)
            let answer = try await gateway.send("GET /classes/Note?explain=true")
            return answer.status == 200 ? "200" : answer.words
        },
    ]
}
