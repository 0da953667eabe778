import Foundation
import ParseModel
import Testing

/// What a standalone gateway refuses although some version of Parse Server has allowed it. Each probe is named by what it refuses.
///
/// Not here, because the gateway lacks what they concern: one-time codes, sessions of another application, queries of live queries,
/// and the check of the SDK's version. `RestrictedStreamTests` has the probes of event streams, `LogInLoadTests` and
/// `PasswordHasherTests` those of the time of a log-in.
@Suite("Closed holes of Parse Server")
struct ClosedHolesTests {
    typealias Caller = RightsWorld.Caller

    struct Probe: Sendable, CustomTestStringConvertible {
        let refused: String
        /// Returns whether the gateway refuses.
        let isRefused: @Sendable (inout RightsWorld) async throws -> Bool

        init(_ refused: String, _ isRefused: @escaping @Sendable (inout RightsWorld) async throws -> Bool) {
            (self.refused, self.isRefused) = (refused, isRefused)
        }

        var testDescription: String { refused }
    }

    @Test(arguments: fields + owners + internals + sessions + logIns + loads + files + names)
    func eachKnownWayAroundTheRightsIsRefused(probe: Probe) async throws {
        var world = try await RightsWorld()
        #expect(try await probe.isRefused(&world))
    }

    // MARK: Protected fields

    /// Everybody may perform all operations, and only the master key sees `text`.
    private static func protect(_ world: RightsWorld, _ field: String = "text") async throws {
        var permissions: JSONObject = ["protectedFields": ["*": [.string(field)]]]
        for operation in ["find", "get", "count", "create", "update", "delete"] { permissions[operation] = ["*": true] }
        try await world.permit(permissions)
    }

    private static func query(_ refused: String, _ parameters: JSONObject, _ className: String = "Secret") -> Probe {
        Probe(refused) { world in
            try await protect(world)
            let answer = try await world.find(.eve, className, parameters)
            return answer.code == 119 && !answer.text.contains(RightsWorld.marker)
        }
    }

    private static let marker = JSONValue.string(RightsWorld.marker)

    static let fields: [Probe] = [
        query("a condition on a protected field", ["where": ["text": marker]]),
        query("a condition on a protected field in $or", ["where": ["$or": [["n": 0], ["text": marker]]]]),
        query("a condition on a protected field in $and", ["where": ["$and": [["n": 7], ["text": marker]]]]),
        query("a condition on a protected field in $nor", ["where": ["$nor": [["text": marker]]]]),
        query("a condition below a protected field", ["where": ["text.deep": marker]]),
        query("a pattern on a protected field", ["where": ["text": ["$regex": "^s3c"]]]),
        query("an order by a protected field", ["order": "-text"]),
        query("an order below a protected field", ["order": "text.deep"]),
        query(
            "a subquery on a protected field",
            ["where": ["to": ["$inQuery": ["className": "Secret", "where": ["text": marker]]]]], "Probe"),
        query(
            "$select of a protected field",
            ["where": ["n": ["$select": ["key": "text", "query": ["className": "Secret", "where": [:]]]]]], "Probe"),
        Probe("a guess of a protected field by a write") { world in
            try await protect(world)
            let body: JSONObject = ["text": marker, "_base": "2001-01-01T00:00:00.000Z"]
            return try await world.send(.eve, "PUT", "/classes/Secret/\(world.secret)", body).status == 412
        },
        Probe("the type of a protected value, by an operation that does not fit it") { world in
            try await protect(world)
            for (name, operation) in [
                ("text", ["__op": "Increment", "amount": 1]), ("text.deep", 1),
                ("text.deep", ["__op": "Add", "objects": [1]]),
            ] as [(String, JSONValue)] {
                let answer = try await world.send(.eve, "PUT", "/classes/Secret/\(world.secret)", [name: operation])
                guard answer.code == 111, !answer.text.contains("String"), !answer.text.contains("Number") else {
                    return false
                }
            }
            return true
        },
        Probe("the result of an operation on a protected field") { world in
            try await protect(world, "n")
            let body: JSONObject = ["n": ["__op": "Increment", "amount": 1]]
            let answer = try await world.send(.eve, "PUT", "/classes/Secret/\(world.secret)", body)
            return answer.status == 200 && answer.json["n"] == nil
        },
    ]

    // MARK: Relations

    private static func members(_ world: RightsWorld) -> JSONObject {
        ["where": ["$relatedTo": ["object": world.pointer("Secret", world.secret), "key": "members"]]]
    }

    static let owners: [Probe] = [
        Probe("the members of an unreadable owner") { world in
            try await world.setACL([:])
            let answer = try await world.find(.eve, "Member", members(world))
            return answer.status == 200 && answer.results.isEmpty
        },
        Probe("the number of members of an unreadable owner") { world in
            try await world.setACL([:])
            var query = members(world)
            (query["count"], query["limit"]) = (1, 0)
            return try await world.find(.eve, "Member", query).json["count"] == 0
        },
        Probe("the members by a protected relation") { world in
            try await protect(world, "members")
            return try await world.find(.eve, "Member", members(world)).code == 119
        },
        Probe("the number of objects of a class that may not be counted") { world in
            try await world.permit(["find": ["*": true], "get": ["*": true], "count": [:]])
            return try await world.find(.eve, "Secret", ["count": 1]).code == 119
        },
    ]

    // MARK: Internal classes

    private static let classNames = [
        "_Join:users:_Role", "_GraphQLConfig", "_Audience", "_Idempotency", "_Hooks", "_SCHEMA", "_PushStatus",
        "_JobStatus", "_JobSchedule", "_GlobalConfig",
    ]

    static let internals: [Probe] =
        classNames.flatMap { name in
            let path = "/classes/" + name.replacing(":", with: "%3A")
            return [
                Probe("a client's object in \(name)") { world in
                    let create = try await world.send(.eve, "POST", path, ["relatedId": "x", "owningId": "y"])
                    let update = try await world.send(.eve, "PUT", path + "/x", ["n": 1])
                    let delete = try await world.send(.eve, "DELETE", path + "/x")
                    return [create, update, delete].allSatisfy { $0.code == 119 }
                },
                Probe("a client's list of \(name)") { try await $0.send(.eve, "GET", path).code == 119 },
                Probe("a subquery on \(name)") { world in
                    let inner: JSONValue = ["$inQuery": ["className": .string(name), "where": [:]]]
                    return try await world.find(.eve, "Probe", ["where": ["to": inner]]).code == 119
                },
                Probe("an object of \(name) by a pointer") { world in
                    let id = try await world.create("Leak", ["to": world.pointer(name, "x")])
                    let answer = try await world.send(.eve, "GET", "/classes/Leak/\(id)?include=to")
                    return answer.code == 119 || answer.json["to"]?.object?["__type"] != "Object"
                },
            ]
        } + [
            Probe("a user with the id of a role") { world in
                let user: JSONObject = ["username": "mallory", "password": "p", "objectId": "role:Editors"]
                let client = try AccountClient(allowsChosenIds: true)
                return try await client.send("POST", "/users", user).code == 119
            }
        ]

    // MARK: Sessions

    static let sessions: [Probe] =
        ["user", "sessionToken", "expiresAt", "createdWith"].flatMap { field in
            [
                Probe("\(field) in a change of a session") { world in
                    try await world.send(.eve, "PUT", "/sessions/me", [field: "x"]).code == 105
                },
                Probe("\(field) of a new session") { world in
                    let value: JSONValue = field == "user" ? world.pointer("_User", try world.id(of: .ada)) : "x"
                    let answer = try await world.send(.eve, "POST", "/sessions", [field: value])
                    return answer.status == 201 && answer.json[field] != value
                },
            ]
        } + [
            Probe("the list of another user's sessions") { world in
                let conditions: JSONObject = ["user": world.pointer("_User", try world.id(of: .ada))]
                return try await world.find(.eve, "_Session", ["where": .object(conditions)]).results.isEmpty
            },
            Probe("another user's session") { world in
                let all = try await world.find(.master, "_Session").results
                let ada = try world.id(of: .ada)
                let theirs = try #require(all.first { $0["user"]?.object?["objectId"]?.string == ada })
                let path = "/sessions/\(try #require(theirs["objectId"]?.string))"
                let read = try await world.send(.eve, "GET", path)
                let end = try await world.send(.eve, "DELETE", path)
                return read.code == 101 && end.code == 101
            },
            Probe("a protected field in /sessions/me") { world in
                _ = try await world.send(.eve, "PUT", "/sessions/me", ["theme": "dark"])
                let everyone: JSONObject = ["find": ["*": true], "get": ["*": true]]
                var permissions = everyone
                permissions["protectedFields"] = ["*": ["theme"]]
                let body: JSONObject = ["classLevelPermissions": .object(permissions)]
                #expect(try await world.send(.master, "PUT", "/schemas/_Session", body).status == 200)
                let session = try await world.send(.eve, "GET", "/sessions/me")
                return session.status == 200 && session.json["theme"] == nil
            },
        ]

    // MARK: Log-in

    private static func isSilent(_ world: RightsWorld, _ route: String) async throws -> Bool {
        _ = try await world.send(.master, "PUT", "/users/\(try world.id(of: .nina))", ["ACL": [:]])
        var answers: Set<String> = []
        for (name, password) in [("nobody", "secret"), ("ada", "wrong"), ("nina", "secret")] {
            let body: JSONObject = ["username": .string(name), "password": .string(password)]
            answers.insert(try await world.send(.everybody, "POST", route, body).text)
        }
        return answers.count == 1 && answers.first?.contains("Invalid username") == true
    }

    static let logIns: [Probe] = [
        Probe("a hint by /login") { try await isSilent($0, "/login") },
        Probe("a hint by /verifyPassword") { try await isSilent($0, "/verifyPassword") },
        Probe("/loginAs with the read-only master key") { world in
            let body: JSONObject = ["userId": .string(try world.id(of: .ada))]
            let answer = try await world.send(.everybody, "POST", "/loginAs", body, headers: readOnly)
            return answer.code == 119 && answer.token == nil
        },
    ]

    private static let readOnly = ["X-Parse-Master-Key": AccountClient.readOnlyMasterKey]

    // MARK: Load

    private static func nested(_ levels: Int) -> JSONValue {
        (0..<levels).reduce(["n": 7] as JSONValue) { inner, _ in ["$or": [inner]] }
    }

    static let loads: [Probe] = [
        Probe("operators nested 100 levels deep") { world in
            try await world.find(.eve, "Secret", ["where": nested(100)]).status == 400
        },
        Probe("ten thousand conditions") { world in
            let terms = JSONValue.array((0..<10_000).map { ["n": .number(JSONNumber($0))] })
            let body: JSONObject = ["_method": "GET", "where": ["$or": terms]]
            return try await world.send(.eve, "POST", "/classes/Secret", body).status == 400
        },
        Probe("an invalid pattern") { world in
            try await world.find(.eve, "Secret", ["where": ["text": ["$regex": "("]]]).status == 400
        },
    ]

    // MARK: Files

    private static func upload(_ world: RightsWorld, _ name: String, _ type: String) async throws -> String {
        let content = try #require("<script>alert(1)</script>".data(using: .utf8)).base64EncodedString()
        let body: JSONObject = ["base64": .string(content), "_ContentType": .string(type)]
        let answer = try await world.send(.eve, "POST", "/files/\(name)", body)
        return "/files/tidegate/" + (try #require(answer.json["name"]?.string, "\(answer.json)"))
    }

    static let files: [Probe] =
        [("a.html", "text/html"), ("a.svg", "image/svg+xml"), ("a.xhtml", "application/xhtml+xml")].map { name, type in
            Probe("\(type) that a browser executes") { world in
                let path = try await upload(world, name, type)
                let headers = try await world.send(.everybody, "GET", path).headers
                return headers[.contentDisposition]?.hasPrefix("attachment") == true
                    && headers[.xContentTypeOptions] == "nosniff"
            }
        } + [
            Probe("the deletion of a file with the read-only master key") { world in
                let path = try await upload(world, "a.txt", "text/plain")
                let name = "/files/" + (path.split(separator: "/").last ?? "")
                let refusal = try await world.send(.everybody, "DELETE", name, headers: readOnly)
                let stays = try await world.send(.everybody, "GET", path).status == 200
                return refusal.status == 403 && stays
            }
        ]

    // MARK: Names in SQL

    static let names: [Probe] = ["a' OR 1=1 --", "a\"b", "a$.b", "a\u{0}b", "a)b"].flatMap { name -> [Probe] in
        [
            Probe("the name \(name.debugDescription) in a condition") { world in
                try await world.find(.eve, "Secret", ["where": [name: 1]]).status == 400
            },
            Probe("the name \(name.debugDescription) in an order") { world in
                try await world.find(.eve, "Secret", ["order": .string(name)]).status == 400
            },
            Probe("the name \(name.debugDescription) of an index") { world in
                let body: JSONObject = ["indexes": ["i": [name: 1]]]
                return try await world.send(.master, "PUT", "/schemas/Secret", body).status == 400
            },
            Probe("the name \(name.debugDescription) of distinct values") { world in
                let text = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                return try await world.send(.master, "GET", "/aggregate/Secret?distinct=\(text)").status == 400
            },
        ]
    }
}
