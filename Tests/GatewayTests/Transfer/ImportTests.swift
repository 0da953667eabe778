import HTTPServer
import HTTPTypes
import ParseModel
import Testing

@Suite struct ImportTests {
    private let client: AccountClient

    init() throws { client = try AccountClient() }

    private func notes() async throws -> [JSONObject] {
        try await client.send("GET", "/classes/Note?order=n&limit=1000", master: true).results
    }

    @Test func aRefusedObjectLeavesEverythingUnchangedAndIsNamedByLineAndReason() async throws {
        let text = """
            {"objectId":"a","n":1}

            {bad}
            {"objectId":"b","n":"two"}
            {"objectId":"","n":3}
            [1]
            {"objectId":"c","n":4,"$x":1}
            {"objectId":"d","n":5,"createdAt":"soon"}
            {"objectId":"e","n":6,"className":"Other"}
            {"objectId":"f","n":7,"place":{"__type":"GeoPoint","latitude":200,"longitude":0}}
            """
        let result = try await client.importText("/Note", text, status: 400)
        #expect(result["error"] == "8 of 9 objects were refused. Nothing was changed.")
        #expect(result.counts == [1, 0, 0, 8])
        #expect(result["refusals"]?.array?.map { $0.object?["line"]?.int } == [3, 4, 5, 6, 7, 8, 9, 10])
        #expect(result.refusalTexts[1] == "4: schema mismatch for Note.n; expected Number but got String")
        #expect(result.refusalTexts[6] == "9: The object is of the class Other, not of Note.")
        #expect(try await client.send("GET", "/schemas/Note", master: true).status == 400)
    }

    @Test func acceptedObjectsAreImportedBesideRefusedOnesIfAsked() async throws {
        let result = try await client.importText("/Note?skipRefused=true", "{\"n\":1}\n{\"n\":\"x\"}\n{\"n\":2}\n")
        #expect(result.counts == [2, 0, 0, 1] && result["written"] == true && result["error"] == nil)
        #expect(try await notes().compactMap { $0["n"]?.int } == [1, 2])
    }

    @Test func aDryRunTellsWhatTheImportWouldDoAndChangesNothing() async throws {
        try await client.importText("/Note", "{\"objectId\":\"a\",\"n\":1}\n{\"objectId\":\"b\",\"n\":2}")
        let feed = try await client.send("GET", "/changes?since=latest", master: true).json["next"]
        let text =
            "{\"objectId\":\"a\",\"n\":1}\n{\"objectId\":\"b\",\"n\":3}\n{\"objectId\":\"c\",\"n\":4}\n{\"n\":true}"
        let result = try await client.importText("/Note?dryRun=true", text)
        #expect(result.counts == [1, 1, 1, 1] && result["written"] == false)
        #expect(try await notes().compactMap { $0["n"]?.int } == [1, 2])
        #expect(try await client.send("GET", "/changes?since=latest", master: true).json["next"] == feed)
    }

    @Test func aDryRunCountsAnObjectWithTheIdOfAnEarlierLineAsItsChange() async throws {
        let text = "{\"objectId\":\"a\",\"n\":1}\n{\"objectId\":\"a\",\"n\":2}\n{\"objectId\":\"a\",\"n\":2}"
        #expect(try await client.importText("/Note?dryRun=true", text).counts == [1, 1, 1, 0])
        #expect(try await client.importText("/Note", text).counts == [1, 1, 1, 0])
        #expect(try await notes().compactMap { $0["n"]?.int } == [2])
    }

    @Test func anAnonymousUserLogsInAfterTheImportAndItsIdBelongsToOneUser() async throws {
        let identity: JSONObject = ["authData": ["anonymous": ["id": "device-1"]]]
        let line = #"{"objectId":"guest","username":"g","authData":{"anonymous":{"id":"device-1"}}}"#
        #expect(try await client.importText("/_User", line).counts == [1, 0, 0, 0])
        #expect(try await client.send("POST", "/users", identity).json["objectId"] == "guest")
        #expect(try await client.importText("/_User", line).counts == [0, 0, 1, 0])
        let other = line.replacing("guest", with: "other").replacing("\"g\"", with: "\"o\"")
        #expect(
            try await client.importText("/_User", other, status: 400).refusalTexts == ["1: this auth is already used"])
        let moved = line.replacing("device-1", with: "device-2")
        #expect(try await client.importText("/_User", moved).counts == [0, 1, 0, 0])
        #expect(try await client.send("POST", "/users", identity).status == 201)
        let foreign = line.replacing("anonymous", with: "facebook")
        #expect(try await client.importText("/_User", foreign, status: 400).counts == [0, 0, 0, 1])
    }

    @Test func timesCountWithTheMaintenanceKeyOnly() async throws {
        let line =
            #"{"objectId":"a","n":1,"createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2021-01-01T00:00:00.000Z"}"#
        try await client.importText("/Note", line)
        try await client.importText(
            "/Note", line.replacing("\"a\"", with: "\"b\"").replacing(":1,", with: ":2,"), .master)
        let (kept, new) = (try await notes()[0], try await notes()[1])
        #expect(kept["createdAt"] == "2020-01-01T00:00:00.000Z" && kept["updatedAt"] == "2021-01-01T00:00:00.000Z")
        #expect(new["createdAt"]?.string?.hasPrefix("2020") == false)
        // A change of a present object has a new time, so that replicas see it.
        try await client.importText("/Note", line.replacing(":1,", with: ":3,"))
        #expect(try await notes().last?["updatedAt"]?.string?.hasPrefix("2021") == false)
    }

    @Test func anImportChangesOnlyTheFieldsThatDiffer() async throws {
        _ = try await client.importText("/Note", #"{"objectId":"a","n":1,"other":{"x":1,"y":2},"kept":"k"}"#)
        let result = try await client.importText("/Note", #"{"objectId":"a","n":1.0,"other":{"y":2,"x":1}}"#)
        #expect(result.counts == [0, 0, 1, 0])
        #expect(try await client.importText("/Note", #"{"objectId":"a","n":2}"#).counts == [0, 1, 0, 0])
        let note = try await notes()[0]
        #expect(note["n"] == 2 && note["kept"] == "k" && note["other"] == ["x": 1, "y": 2])
    }

    @Test func fieldsAreRenamedAndTyped() async throws {
        let text = #"{"id":"x","title":"t","due":"2030-05-01","project":"p1","done":"true","remark":"r","size":"1.5"}"#
        let query =
            "rename=id=objectId,title=name&rename=remark=&type=due=Date,project=Pointer%3CProject%3E,done=Boolean,size=Number"
        try await client.importText("/Note?" + query, text)
        let note = try await notes()[0]
        #expect(note["objectId"] == "x" && note["name"] == "t" && note["remark"] == nil)
        #expect(note["due"] == ["__type": "Date", "iso": "2030-05-01T00:00:00.000Z"])
        #expect(note["project"] == ["__type": "Pointer", "className": "Project", "objectId": "p1"])
        #expect(note["done"] == true && note["size"] == 1.5)
        let table = "name,due:Date,\"remark, long\"\r\nx,01.05.2030,y\r\n"
        let refused = try await client.importText("/Note?format=csv", table, status: 400)
        #expect(refused.refusalTexts == ["2: due: \"01.05.2030\" is no Date."])
        #expect(try await client.importText("/Note?type=due=Day", "{}", status: 400)["code"] == 102)
    }

    @Test(arguments: [
        ("ndjson", #"{"title":"t"}"# + "\n" + #"{"id":"x"}"#), ("csv", "title,id\r\nt,\r\n,x\r\n"),
        ("parse", #"[{"title":"t"},{"id":"x"}]"#),
    ])
    func misspeltFieldsOfRenameAndTypeAreReported(format: String, text: String) async throws {
        let query = "/Note?format=\(format)&dryRun=true&rename=title=name,tilte=name2,id=&type=name=String,deu=Date"
        #expect(try await client.importText(query, text)["missingFields"] == ["deu", "tilte"])
        #expect(try await client.importText("/Note?format=\(format)&dryRun=true", text)["missingFields"] == [])
    }

    @Test func theFormsOfOldAndNewClassExportsAreRead() async throws {
        let old =
            "{\"results\": [\n\t{ \"objectId\" : \"a\", \"n\" : 1 } ,\n\t{ \"objectId\" : \"b\", \"n\" : 2 }\n\t]\n}"
        #expect(try await client.importText("/Note?format=parse", old).counts == [2, 0, 0, 0])
        #expect(
            try await client.importText("/Note?format=parse", "[{\"n\":3},{\"n\":{}}]", status: 400).refusalTexts == [
                "1: schema mismatch for Note.n; expected Number but got Object"
            ])
        for malformed in [
            "{\"results\":[{\"n\":4}", "{\"other\":[]}", "[1]", "[{\"n\":4},]", "",
            "{\"results\":[{\"n\":4} {\"n\":5}]}",
        ] {
            let answer = try await client.importText("/Note?format=parse", malformed, status: 400)
            #expect(answer["code"] == 107, "\(malformed)")
        }
        #expect(try await notes().count == 2)
    }

    @Test func usersWithoutKeysImportWithTheirOwnRights() async throws {
        let token = try #require(try await client.send("POST", "/users", ["username": "ada", "password": "x"]).token)
        _ = try await client.importText("/Note", #"{"objectId":"a","n":1,"ACL":{"*":{"read":true}}}"#)
        let change = try await client.importText("/Note", #"{"objectId":"a","n":2}"#, .session(token), status: 400)
        #expect(change.refusalTexts == ["1: Object not found."])
        let own = try await client.importText("/Note", #"{"n":5}"#, .session(token))
        #expect(own.counts == [1, 0, 0, 0])
        let chosen = try await client.importText("/Note", #"{"objectId":"z","n":5}"#, .session(token), status: 400)
        let advice = "New objects with chosen ids need the master key, --data, or --allow-custom-object-id."
        #expect(chosen.refusalTexts == ["1: Object not found. " + advice])
        _ = try await client.importText("/Note", #"{"objectId":"secret","n":1,"ACL":{}}"#)
        let hidden = try await client.importText("/Note", #"{"objectId":"secret","n":5}"#, .session(token), status: 400)
        #expect(hidden.refusalTexts == chosen.refusalTexts && hidden["refusals"]?.array?[0].object?["code"] == 101)
        let role = try await client.importText("/_Role", #"{"name":"admins","ACL":{}}"#, .session(token), status: 400)
        #expect(role["refused"] == 1)
        #expect(try await client.importText("/_Session", "{}", status: 400)["refused"] == 1)
    }

    @Test func progressIsReportedInLinesAndTheResultComesLast() async throws {
        var headers: HTTPFields = [.accept: "application/x-ndjson"]
        headers[try #require(HTTPField.Name("Host"))] = "127.0.0.1:1338"
        let request = HTTPServerRequest(
            method: .post, path: "/import/Note", headers: headers, body: Array(#"{"n":1}"#.utf8))
        let answer = await client.api.handle(request).response()
        guard case .stream(let stream) = answer.content else {
            Issue.record("the answer is no stream")
            return
        }
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        stream.setWaker { signal.yield() }
        var (text, iterator, isOver) = ("", signals.makeAsyncIterator(), false)
        while !isOver {
            switch stream.next() {
            case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .wait: _ = await iterator.next()
            case .end: isOver = true
            }
        }
        stream.closed()
        let lines = text.split(separator: "\n")
        #expect(lines.first == #"{"progress":{"pass":"check","objects":1,"refused":0,"bytes":7,"bytesTotal":7}}"#)
        #expect(lines.last?.hasPrefix(#"{"objects":1,"made":1"#) == true)
    }
}
