import HTTPServer
import ParseModel
import Testing

@testable import Gateway

/// Rows of the version table with the same result under both settings.
enum SharedRows {
    static let rows = [
        CompatibilityRow("batch-form", "400/107 400/107 400/107 400/107 0") { gateway in
            func item(_ method: String, _ path: JSONValue) -> JSONValue {
                ["method": .string(method), "path": path, "body": [:]]
            }
            let create = item("POST", "/parse/classes/Note")
            let bodies: [JSONObject] = [
                ["requests": 5], ["requests": [create, item("POST", "/parse/batch")]],
                ["requests": [create, item("POST", 5)]], ["requests": [create, item("POST", "/parse/nowhere")]],
            ]
            var answers: [String] = []
            for body in bodies { answers.append(try await gateway.send("POST /batch", body).codes) }
            let created = try await gateway.send("GET /classes/Note").json["results"]?.array?.count ?? -1
            return (answers + [String(created)]).joined(separator: " ")
        },
        CompatibilityRow("master-only-classes", "400/119 9 of 9") { gateway in
            let names = [
                "_JobStatus", "_PushStatus", "_Hooks", "_GlobalConfig", "_GraphQLConfig", "_JobSchedule", "_Audience",
                "_Idempotency", "_Join:users:_Role",
            ]
            var refused = 0
            for name in names {
                refused += try await gateway.send("GET /classes/\(name)").codes == "400/119" ? 1 : 0
            }
            return "400/119 \(refused) of \(names.count)"
        },
        CompatibilityRow("read-only-key", "400/119 403 403 400/119 200") { gateway in
            let ada = try await gateway.signUp("ada")
            let key = ["X-Parse-Master-Key": CompatibilityGateway.readOnlyKey]
            let answers = [
                try await gateway.send("POST /loginAs", ["userId": .string(ada.id)], headers: key),
                try await gateway.send("POST /files/a.txt", headers: key, content: "x"),
                try await gateway.send("DELETE /files/a.txt", headers: key),
                try await gateway.send("POST /jobs/tidy", [:], headers: key),
                try await gateway.send("GET /users", headers: key),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("read-only-key-from-elsewhere", "403") { gateway in
            try await gateway.send(
                "GET /users", headers: ["X-Parse-Master-Key": CompatibilityGateway.readOnlyKey],
                from: try #require(IPAddress("192.168.0.7"))
            ).codes
        },
        CompatibilityRow("methods", "200 200 201 404") { gateway in
            let answers = [
                try await gateway.send("POST /classes/Note", ["_method": "get"]),
                try await gateway.send("HEAD /classes/Note"),
                try await gateway.send("POST /classes/Note", ["_method": 5]),
                try await gateway.send("PUT /classes/Note", [:]),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("empty-session", "200") {
            try await $0.send("POST /classes/Note", ["_method": "GET", "_SessionToken": ""]).codes
        },
        CompatibilityRow("file-reads", "nosniff, nosniff, {}, 200 {}") { gateway in
            let name = try #require(
                try await gateway.send("POST /files/a.txt", content: "x").json["name"]?.string)
            let answers = [
                try await gateway.send("GET /files/app/\(name)"),
                try await gateway.send("GET /files/app/\(name)", headers: ["Range": "bytes=0-0"]),
                try await gateway.send("GET /files/app/metadata/none.txt"),
                try await gateway.send("DELETE /files/\(name)", master: true),
            ]
            let guards = answers.prefix(2).map { $0.headers[.xContentTypeOptions] ?? "none" }
            return (guards + [answers[2].text, "\(answers[3].codes) \(answers[3].text)"]).joined(separator: ", ")
        },
        CompatibilityRow("file-values", "400/111 400/111 no foreign url") { gateway in
            var answers: [String] = []
            for name in [5, ""] as [JSONValue] {
                let body: JSONObject = ["photo": ["__type": "File", "name": name]]
                answers.append(try await gateway.send("POST /classes/Note", body).codes)
            }
            let url = "https://elsewhere.example/cat.png"
            let id = try await gateway.create(
                "Note", ["photo": ["__type": "File", "name": "cat.png", "url": .string(url)]])
            let text = try await gateway.send("GET /classes/Note/\(id)").text
            return (answers + [text.contains("elsewhere") ? "foreign url" : "no foreign url"]).joined(separator: " ")
        },
        CompatibilityRow("auth-data", "201 400/252 400/252 400/208") { gateway in
            let anonymous: JSONValue = ["anonymous": ["id": "a0000000-0000-4000-8000-000000000000"]]
            func user(_ name: String, _ authData: JSONValue) -> JSONObject {
                ["username": .string(name), "password": "secret", "authData": authData]
            }
            try #require(try await gateway.send("POST /users", ["authData": anonymous]).status == 201)
            let eve = try await gateway.signUp("eve")
            let answers = [
                try await gateway.send("POST /users", user("ada", [:])),
                try await gateway.send("POST /users", user("bob", .null)),
                try await gateway.send("POST /users", user("cyd", ["unknown": ["id": "x"]])),
                try await gateway.send("PUT /users/\(eve.id)", ["authData": anonymous], as: eve),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("session-fields", "201 400/105 400/105 400/105") { gateway in
            let ada = try await gateway.signUp("ada")
            let made = try await gateway.send(
                "POST /sessions", ["sessionToken": "r:mine", "user": "x", "expiresAt": "x", "createdWith": "x"], as: ada
            )
            #expect(made.json["sessionToken"] != "r:mine")
            let id = made.json["objectId"]?.string ?? ""
            let answers = [
                made, try await gateway.send("PUT /sessions/\(id)", ["installationId": "x"], as: ada),
                try await gateway.send("PUT /sessions/\(id)", ["createdWith": [:]], as: ada),
                try await gateway.send("PUT /sessions/\(id)", ["ACL": ["*": ["read": true]]], as: ada),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("mails", "500/1 500/1") { gateway in
            let answers = [
                try await gateway.send("POST /verificationEmailRequest", ["email": "a@b.c"]),
                try await gateway.send("POST /requestPasswordReset", ["email": "a@b.c"]),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("session-of-a-deleted-user", "400/209 Invalid session token") { gateway in
            let ada = try await gateway.signUp("ada")
            try #require(try await gateway.send("DELETE /users/\(ada.id)", master: true).status == 200)
            return try await gateway.send("GET /classes/Note", as: ada).words
        },
        CompatibilityRow("keys-as-array", "n") { gateway in
            let id = try await gateway.create("Note", ["n": 1, "text": "x"])
            let object = try await gateway.send("GET /classes/Note/\(id)?keys=%5B%22n%22%5D").json
            return ["n", "text"].filter { object[$0] != nil }.joined(separator: " ")
        },
        CompatibilityRow("protected-paths", "400/119 400/119") { gateway in
            try await gateway.makeClass(
                "Note", fields: ["secret": ["type": "Object"]],
                permissions: ["find": ["*": true], "protectedFields": ["*": ["secret"]]])
            let answers = [
                try await gateway.find("/classes/Note", where: ["secret.a": 1]),
                try await gateway.send("GET /classes/Note?order=secret.a"),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("protected-fields-of-users", "email phone") { gateway in
            _ = try await gateway.send(
                "PUT /schemas/_User",
                [
                    "fields": ["phone": ["type": "String"]],
                    "classLevelPermissions": [
                        "find": ["*": true], "get": ["*": true], "create": ["*": true],
                        "protectedFields": ["*": ["phone"]],
                    ],
                ], master: true)
            let made = try await gateway.send(
                "POST /users",
                [
                    "username": "ada", "password": "secret", "email": "a@b.c", "phone": "1",
                    "ACL": ["*": ["read": true]],
                ])
            let shown = try await gateway.send("GET /users/\(made.json["objectId"]?.string ?? "")").json
            #expect(shown["username"] == "ada")
            return ["email", "phone"].filter { shown[$0] == nil }.joined(separator: " ")
        },
        CompatibilityRow("protected-fields-after-writes", "hidden") { gateway in
            try await gateway.makeClass(
                "Note", fields: ["n": ["type": "Number"]],
                permissions: ["create": ["*": true], "update": ["*": true], "protectedFields": ["*": ["n"]]])
            let id = try await gateway.create("Note", ["n": 1])
            let answer = try await gateway.send("PUT /classes/Note/\(id)", ["n": ["__op": "Increment", "amount": 1]])
            return answer.status == 200 && answer.json["n"] == nil ? "hidden" : answer.text
        },
        CompatibilityRow("required-field", "400/142") { gateway in
            try await gateway.makeClass(
                "Note", fields: ["n": ["type": "Number", "required": true]], permissions: ["create": ["*": true]])
            return try await gateway.send("POST /classes/Note", [:]).codes
        },
        CompatibilityRow("rights-before-new-fields", "create addField") { gateway in
            try await gateway.makeClass("Note", permissions: ["find": ["*": true]])
            try await gateway.makeClass("Open", permissions: ["create": ["*": true]])
            let detailed = try CompatibilityGateway(gateway.version) { $0.showsErrorDetails = true }
            try await detailed.makeClass("Note", permissions: ["find": ["*": true]])
            try await detailed.makeClass("Open", permissions: ["create": ["*": true]])
            let answers = [
                try await detailed.send("POST /classes/Note", ["n": 1]),
                try await detailed.send("POST /classes/Open", ["n": 1]),
            ]
            return answers.compactMap { $0.json["error"]?.string?.split(separator: " ").dropFirst(4).first }
                .joined(separator: " ")
        },
        CompatibilityRow("role-names", "400/137") { gateway in
            let role: JSONObject = ["name": "Editors", "ACL": ["*": ["read": true]]]
            try #require(try await gateway.send("POST /roles", role, master: true).status == 201)
            return try await gateway.send("POST /roles", role, master: true).codes
        },
        CompatibilityRow("dates-of-imports", "2020-01-01T00:00:00.000Z") { gateway in
            let time: JSONValue = ["__type": "Date", "iso": "2020-01-01T00:00:00.000Z"]
            let made = try await gateway.send(
                "POST /classes/Note", ["createdAt": time, "updatedAt": time],
                headers: ["X-Parse-Maintenance-Key": CompatibilityGateway.maintenanceKey])
            return made.json["createdAt"]?.string ?? made.text
        },
        CompatibilityRow("installation-errors", "400/135 400/135 400/136 400/132") { gateway in
            func installation(_ id: String?, _ token: String?) -> JSONObject {
                var body: JSONObject = ["deviceType": "ios"]
                if let id { body["installationId"] = .string(id) }
                if let token { body["deviceToken"] = .string(token) }
                return body
            }
            let first = try await gateway.send("POST /installations", installation("a", nil))
            let id = first.json["objectId"]?.string ?? ""
            for name in ["b", "c"] {
                try await gateway.send("POST /installations", installation(name, nil))
                let rows = try await gateway.find(
                    "/installations", where: ["installationId": .string(name)], master: true)
                let row = rows.json["results"]?.array?.first?.object?["objectId"]?.string ?? ""
                try await gateway.send("PUT /installations/\(row)", ["deviceToken": "token"], master: true)
            }
            let answers = [
                try await gateway.send("POST /installations", ["deviceType": "ios"]),
                try await gateway.send("POST /installations", ["installationId": "d"]),
                try await gateway.send("PUT /installations/\(id)", ["installationId": "other"]),
                try await gateway.send("POST /installations", installation(nil, "token")),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
    ]
}
