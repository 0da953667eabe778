import Foundation
import ParseModel
import Testing

@testable import Gateway

/// Rows of the version table about queries.
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
        CompatibilityRow("limit-zero", "200 400/119 400/119") { gateway in
            try await gateway.makeClass(
                "Note", fields: ["secret": ["type": "String"]],
                permissions: ["get": ["*": true], "protectedFields": ["*": ["secret"]]])
            let answers = [
                try await gateway.send("GET /classes/Note?limit=0"),
                try await gateway.find("/classes/Note", where: ["secret": "x"], "&limit=0"),
                try await gateway.send("GET /classes/_PushStatus?limit=0"),
            ]
            #expect(answers[0].text == #"{"results":[]}"#)
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("members-of-a-hidden-relation", "0 0 1") { gateway in
            let member = try await gateway.create("Member", [:])
            let add: JSONObject = [
                "__op": "AddRelation",
                "objects": [["__type": "Pointer", "className": "Member", "objectId": .string(member)]],
            ]
            let owner = try await gateway.create("Note", ["members": .object(add)])
            let pointer: JSONValue = ["__type": "Pointer", "className": "Note", "objectId": .string(owner)]
            let conditions: JSONObject = ["$relatedTo": ["object": pointer, "key": "members"]]
            let open: JSONObject = ["find": ["*": true], "get": ["*": true]]
            var protected = open
            protected["protectedFields"] = ["*": ["members"]]
            var counts: [Int] = []
            for permissions in [["find": ["*": true]], protected, open] {
                _ = try await gateway.send(
                    "PUT /schemas/Note", ["classLevelPermissions": .object(permissions)], master: true)
                let answer = try await gateway.find("/classes/Member", where: conditions)
                #expect(answer.status == 200, "\(answer.text)")
                counts.append(answer.json["results"]?.array?.count ?? -1)
            }
            return counts.map(String.init).joined(separator: " ")
        },
        CompatibilityRow("unicode-option", "1") { gateway in
            _ = try await gateway.create("Note", ["text": "ÉTÉ"])
            let answer = try await gateway.find(
                "/classes/Note", where: ["text": ["$regex": "^été$", "$options": "iu"]])
            return String(answer.json["results"]?.array?.count ?? -1)
        },
        CompatibilityRow(
            "raw-aggregates", #"{"results":[{"_id":1}]} {"results":[{"at":{"$date":"2027-02-06T00:00:00.000Z"}}]}"#
        ) { gateway in
            _ = try await gateway.create(
                "Note", ["n": 1, "at": ["__type": "Date", "iso": "2027-02-06T00:00:00.000Z"]])
            let names = try await aggregate("rawFieldNames", ["$group": ["_id": "$n"]], gateway)
            let values = try await aggregate("rawValues", ["$project": ["_id": 0, "at": 1]], gateway)
            return "\(names) \(values)"
        },
    ]

    private static func aggregate(
        _ option: String, _ stage: JSONObject, _ gateway: CompatibilityGateway
    ) async throws -> String {
        let pipeline = try #require(
            JSONValue.array([.object(stage)]).jsonText.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await gateway.send("GET /aggregate/Note?\(option)=true&pipeline=\(pipeline)", master: true).text
    }
}
