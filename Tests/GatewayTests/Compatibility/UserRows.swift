import ParseModel
import Testing

@testable import Gateway

/// Rows of the version table about users and sessions.
enum UserRows {
    static let rows = [
        CompatibilityRow("wrong-name-in-a-change", seven: "400/111 400/200", nine: "400/200 400/200") {
            try await changes(of: "username", in: $0)
        },
        CompatibilityRow("wrong-password-in-a-change", seven: "400/111 400/201", nine: "400/201 400/201") {
            try await changes(of: "password", in: $0)
        },
        CompatibilityRow("rights-before-body", "400/206 400/206 400/206") { gateway in
            let (ada, eve) = (try await gateway.signUp("ada"), try await gateway.signUp("eve"))
            let path = "PUT /users/\(ada.id)"
            let answers = [
                try await gateway.send(path, as: eve, content: "[1]"),
                try await gateway.send(path, ["password": 5], as: eve),
                try await gateway.send(path, ["_base": "odd"], as: eve),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("rights-before-uniqueness", "400/119 400/119") { gateway in
            _ = try await gateway.signUp("ada")
            let link: JSONObject = ["authData": ["anonymous": ["id": "a0000000-0000-4000-8000-000000000000"]]]
            try #require(try await gateway.send("POST /users", link).status == 201)
            _ = try await gateway.send(
                "PUT /schemas/_User", ["classLevelPermissions": ["find": ["*": true]]], master: true)
            let taken = try await gateway.send("POST /users", ["username": "ada", "password": "other"])
            let linked = try await gateway.send("POST /users", link)
            return "\(taken.codes) \(linked.codes)"
        },
        CompatibilityRow("session-id-of-a-client", "201") { gateway in
            let ada = try await gateway.signUp("ada")
            let answer = try await gateway.send("POST /sessions", ["objectId": "chosen"], as: ada)
            #expect(answer.json["objectId"] != "chosen")
            return answer.codes
        },
    ]

    /// Sets the field of a user to a number and to the empty string. The master key must get the same answers.
    private static func changes(of field: String, in gateway: CompatibilityGateway) async throws -> String {
        let ada = try await gateway.signUp("ada")
        var answers: [String] = []
        for value in [5, ""] as [JSONValue] {
            let answer = try await gateway.send("PUT /users/\(ada.id)", [field: value], as: ada)
            let ofMaster = try await gateway.send("PUT /users/\(ada.id)", [field: value], master: true)
            #expect(answer.codes == ofMaster.codes)
            answers.append(answer.codes)
        }
        return answers.joined(separator: " ")
    }
}
