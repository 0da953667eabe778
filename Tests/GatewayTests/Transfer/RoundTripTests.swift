import ParseModel
import Testing

/// Exports from one gateway are imported into an empty one.
@Suite struct RoundTripTests {
    private func filled(seed: UInt64, count: Int) async throws -> AccountClient {
        let client = try AccountClient()
        var random = RandomObjects(seed: seed)
        for _ in 0..<count {
            let answer = try await client.send("POST", "/classes/Thing", random.next(), master: true)
            #expect(answer.status == 201, "\(answer.text)")
            client.clock.advance(.milliseconds(7))
        }
        return client
    }

    @Test(arguments: ["ndjson", "parse"], [1, 2, 3] as [UInt64])
    func anImportOfAnExportIsTheSameClassByteForByte(format: String, seed: UInt64) async throws {
        let source = try await filled(seed: seed, count: 60)
        let exported = try await source.export("/Thing?format=\(format)")
        let copy = try AccountClient()
        let result = try await copy.importText("/Thing?format=\(format)", exported)
        #expect(result.counts == [60, 0, 0, 0])
        #expect(try await copy.export("/Thing?format=\(format)") == exported)
        let again = try await copy.importText("/Thing?format=\(format)", exported)
        #expect(again.counts == [0, 0, 60, 0])
        #expect(try await copy.export("/Thing?format=\(format)") == exported)
    }

    @Test func anImportOfAnExportOfAllClassesHasRelationsUsersAndRoles() async throws {
        let source = try AccountClient()
        let player = try #require(
            try await source.send("POST", "/classes/Player", ["name": "ann"], master: true).json["objectId"]?.string)
        let members: JSONObject = [
            "__op": "AddRelation", "objects": [Pointer(className: "Player", objectId: player).json],
        ]
        _ = try await source.send("POST", "/classes/Team", ["name": "t", "players": .object(members)], master: true)
        let user = try #require(
            try await source.send(
                "POST", "/users", ["username": "ada", "password": "x", "email": "a@example.org"], master: true
            ).json["objectId"]?.string)
        let users: JSONObject = ["__op": "AddRelation", "objects": [Pointer(className: "_User", objectId: user).json]]
        _ = try await source.send(
            "POST", "/roles", ["name": "editors", "ACL": [:], "users": .object(users)], master: true)
        let exported = try await source.export("")
        #expect(exported.contains(#""className":"_Join:players:Team""#) && !exported.contains("_Session"))

        let copy = try AccountClient()
        let lines = exported.split(separator: "\n").count
        let result = try await copy.importText("", exported)
        #expect(result["refused"] == 0 && result["objects"] == .int(lines), "\(result.jsonText)")
        #expect(try await copy.export("") == exported)
        #expect(try await copy.importText("", exported)["unchanged"] == .int(lines))
        // The role counts for the rights of its user.
        _ = try await copy.send("PUT", "/users/\(user)", ["password": "new"], master: true)
        let token = try #require(try await copy.send("POST", "/login", ["username": "ada", "password": "new"]).token)
        _ = try await copy.send("POST", "/classes/Note", ["ACL": ["role:editors": ["read": true]]], master: true)
        #expect(try await copy.send("GET", "/classes/Note", as: token).results.count == 1)
    }

    /// Without an index for their order, SQLite would sort all objects in memory.
    @Test func anExportIsLargerThanTheMemoryOfAQuery() async throws {
        let client = try AccountClient(queryBytesMax: 4 << 20)
        let text = String(repeating: "long ", count: 40_000)
        for number in 0..<40 {
            let note: JSONObject = ["n": .int(number), "text": .string(text)]
            #expect(try await client.send("POST", "/classes/Note", note, master: true).status == 201)
        }
        for path in ["/Note", "", "/Note?where=%7B%22n%22:%7B%22$gte%22:0%7D%7D"] {
            let lines = try await client.export(path).split(separator: "\n")
            #expect(lines.filter { !$0.hasPrefix(#"{"__type":"Object","className":"_SCHEMA""#) }.count == 40)
        }
    }

    /// A gateway with random objects, half of which were changed later, with members of relations, users and a role.
    private func gateway(seed: UInt64) async throws -> AccountClient {
        let client = try AccountClient()
        var random = RandomObjects(seed: seed, hasNulls: true)
        func create(_ target: String, _ body: JSONObject) async throws -> String {
            client.clock.advance(.milliseconds(7))
            let answer = try await client.send("POST", target, body, master: true)
            #expect(answer.status == 201, "\(answer.text)")
            return try #require(answer.json["objectId"]?.string)
        }
        let users = [
            try await create("/users", ["username": "ada", "password": "sesame", "email": "ada@example.org"]),
            try await create("/users", ["username": "zoë 漢字", "password": "x", "ACL": [:]]),
            try await create("/users", ["authData": ["anonymous": ["id": "device-1"]]]),
        ]
        _ = try await client.send("PUT", "/users/\(users[2])", ["nickname": "guest"], master: true)
        func members(_ className: String, _ ids: [String]) -> JSONObject {
            ["__op": "AddRelation", "objects": .array(ids.map { Pointer(className: className, objectId: $0).json })]
        }
        _ = try await create(
            "/roles", ["name": "editors", "ACL": [:], "users": .object(members("_User", users))])
        var things: [String] = []
        for _ in 0..<40 { things.append(try await create("/classes/Thing", random.next())) }
        for id in things where random.flag() {
            client.clock.advance(.milliseconds(7))
            var change = random.next()
            let friends = things.filter { _ in random.below(8) == 0 }
            if !friends.isEmpty { change["friends"] = .object(members("Thing", friends)) }
            let answer = try await client.send("PUT", "/classes/Thing/\(id)", change, master: true)
            #expect(answer.status == 200, "\(answer.text)")
        }
        return client
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anImportOfAnExportIsTheSameGatewayByteForByte(seed: UInt64) async throws {
        let exported = try await gateway(seed: seed).export("?passwordHashes=true")
        #expect(exported.contains(":null") && exported.contains(#""className":"_Join:friends:Thing""#))
        #expect(exported.contains(#""_hashed_password""#))
        let copy = try AccountClient()
        let result = try await copy.importText("", exported)
        #expect(result["refused"] == 0, "\(result.jsonText)")
        #expect(try await copy.export("?passwordHashes=true") == exported)
        #expect(try await copy.importText("", exported)["unchanged"] == result["objects"])
    }

    @Test func aTableKeepsTheValuesOfAllTypesThatTheFormatCanShow() async throws {
        let source = try await filled(seed: 5, count: 40)
        let exported = try await source.export("/Thing?format=csv")
        let copy = try AccountClient()
        #expect(try await copy.importText("/Thing?format=csv", exported).counts == [40, 0, 0, 0])
        #expect(try await copy.export("/Thing?format=csv") == exported)
    }

    @Test func anExportTakesAQueryAndColumnsByPath() async throws {
        let client = try AccountClient()
        for (name, city) in [("a", "Bonn"), ("b", "=Köln"), ("c", "Ulm")] {
            _ = try await client.send(
                "POST", "/classes/Person",
                ["name": .string(name), "address": ["city": .string(city)]], master: true)
        }
        let query = "where=%7B%22name%22%3A%7B%22%24ne%22%3A%22a%22%7D%7D&order=-name"
        let table = try await client.export("/Person?format=csv&keys=name,address.city&\(query)")
        let ids = try await client.send("GET", "/classes/Person?order=-name", master: true).results.compactMap {
            $0["objectId"]?.string
        }
        #expect(
            table
                == "\u{FEFF}objectId:String,name:String,address.city:String\r\n\(ids[0]),c,Ulm\r\n\(ids[1]),b,'=Köln\r\n"
        )
        let result = try await client.importText("/Copy?format=csv", table)
        #expect(result.counts == [2, 0, 0, 0])
        let copies = try await client.send("GET", "/classes/Copy?order=name", master: true).results
        #expect(copies.map { $0["address"] } == [["city": "=Köln"], ["city": "Ulm"]])
        #expect(try await client.export("/Person?keys=name&limit=1&order=name").hasPrefix(#"{"name":"a","objectId""#))
    }

    @Test func exportsShowWhatTheirCallerMayRead() async throws {
        let client = try AccountClient()
        let token = try #require(try await client.send("POST", "/users", ["username": "ada", "password": "x"]).token)
        _ = try await client.send("POST", "/classes/Note", ["text": "private", "ACL": [:]], master: true)
        _ = try await client.send("POST", "/classes/Note", ["text": "public"], master: true)
        #expect(try await client.export("/Note").split(separator: "\n").count == 2)
        let own = try await client.export("/Note", .session(token))
        #expect(own.contains("public") && !own.contains("private"))
        #expect(try await client.transfer(.get, "/export", "", .none).status == 403)
        #expect(try await client.transfer(.get, "/export/_Join:users:_Role", "", .session(token)).status == 403)
        #expect(try await client.transfer(.get, "/export/_Session", "", .master).text.contains("log in again"))
        #expect(try await client.transfer(.get, "/export/Unknown", "", .master).status == 400)
        #expect(try await client.transfer(.get, "/export/Note?format=xml", "", .master).status == 400)
        #expect(try await client.transfer(.get, "/export/Note?include=a", "", .master).status == 400)
    }
}
