import ParseModel
import Testing

@testable import Gateway

/// Rows of the version table about classes, installations and routes.
enum ClassRows {
    static let rows = [
        CompatibilityRow("default-acl", "owner, public, given") { gateway in
            try await gateway.makeClass(
                "Note",
                permissions: [
                    "create": ["*": true], "find": ["*": true],
                    "ACL": ["currentUser": ["read": true, "write": true], "role:Editors": ["read": true]],
                ])
            let ada = try await gateway.signUp("ada")
            let editors: JSONValue = ["read": true]
            let ofAda: JSONObject = ["role:Editors": editors, ada.id: ["read": true, "write": true]]
            let answers = [
                try await gateway.send("POST /classes/Note", [:], as: ada),
                try await gateway.send("POST /classes/Note", [:]),
                try await gateway.send("POST /classes/Note", ["ACL": ["*": ["read": true]]], as: ada),
            ].map { $0.json["ACL"] }
            var words: [String] = []
            if answers[0]?.object == ofAda { words.append("owner") }
            if answers[1] == ["role:Editors": editors] { words.append("public") }
            if answers[2] == nil { words.append("given") }
            #expect(try await gateway.send("GET /classes/Note").json["results"]?.array?.count == 1)
            #expect(try await gateway.send("GET /classes/Note", as: ada).json["results"]?.array?.count == 2)
            return words.joined(separator: ", ")
        },
        CompatibilityRow("default-acl-malformed", "400/107 400/107") { gateway in
            var answers: [String] = []
            for acl in [["*": true], ["*": ["read": 1]]] as [JSONObject] {
                let body: JSONObject = ["classLevelPermissions": ["ACL": .object(acl)]]
                answers.append(try await gateway.send("POST /schemas/Note", body, master: true).codes)
            }
            return answers.joined(separator: " ")
        },
        CompatibilityRow("duplicate-device-token", "deleted, kept without token") { gateway in
            let keeping = try CompatibilityGateway(gateway.version) { $0.duplicateDeviceToken = .update }
            var words: [String] = []
            for each in [gateway, keeping] {
                for id in ["a", "b"] {
                    let body: JSONObject = [
                        "installationId": .string(id), "deviceToken": "token", "deviceType": "ios",
                    ]
                    try #require(try await each.send("POST /installations", body).status == 201)
                }
                let left = try await each.send("GET /installations?order=createdAt", master: true)
                let rows = left.json["results"]?.array?.compactMap(\.object) ?? []
                #expect(rows.last?["deviceToken"] == "token")
                words.append(
                    rows.count == 1 ? "deleted" : rows[0]["deviceToken"] == nil ? "kept without token" : "kept")
            }
            return words.joined(separator: ", ")
        },
        CompatibilityRow("route-allow-list", "200 400/119 400/119 400/119 200") { gateway in
            let strict = try CompatibilityGateway(gateway.version) {
                $0.routeAllowList = ["classes/Note(/.*)?", "batch"]
            }
            let batch: JSONObject = [
                "requests": [
                    ["method": "POST", "path": "/parse/classes/Note", "body": [:]],
                    ["method": "POST", "path": "/parse/classes/Other", "body": [:]],
                ]
            ]
            let answers = [
                try await strict.send("GET /classes/Note"),
                try await strict.send("GET /classes/Notes"),
                try await strict.send("POST /login", ["username": "ada", "password": "secret"]),
                try await strict.send("POST /batch", batch),
                try await strict.send("GET /classes/Other", master: true),
            ]
            #expect(try await strict.send("GET /classes/Note").json["results"] == [])
            #expect(try await strict.send("GET /health").status == 200)
            #expect(try await strict.send("GET /files/app/none.txt").status == 404)
            return answers.map(\.codes).joined(separator: " ")
        },
    ]
}
