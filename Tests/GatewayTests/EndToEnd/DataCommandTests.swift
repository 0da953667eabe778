import Foundation
import ParseModel
import Testing

/// Tests the commands for data with running and stopped gateways.
@Suite("Commands for data", .serialized, .timeLimit(.minutes(5)))
struct DataCommandTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ arguments: [String], input: String? = nil) async throws -> (lines: [String], code: Int32) {
        try await Run.ending(arguments, input: input)
    }

    private func json(_ arguments: [String]) async throws -> [JSONObject] {
        try await run(arguments + ["--json"]).lines.compactMap { try JSONReader.read(Array($0.utf8)).object }
    }

    @Test(arguments: [true, false])
    func objectsAreCreatedReadChangedAndDeletedInARunningAndInAStoppedGateway(isRunning: Bool) async throws {
        let started = try await Daemon(directory)
        if !isRunning { started.end(SIGTERM) }
        let place = isRunning ? ["--url", started.url] : ["--data", directory.path]
        let created = try await run(["put", "Task", "name=Buy bread", "done:=false"] + place)
        let name = try #require(created.lines.first?.dropFirst("Created ".count))
        #expect(created.code == 0 && created.lines.first?.hasPrefix("Created Task/") == true)
        let read = try await run(["put", "Task", "-", "--json"] + place, input: #"{"name":"from standard input"}"#)
        #expect(read.code == 0 && read.lines.joined().contains("objectId"))
        #expect(try await run(["put", "\(name)", "done:=true"] + place).lines == ["Updated \(name)"])
        let found = try await json(["get", "\(name)"] + place)
        #expect(found.first?["name"] == "Buy bread" && found.first?["done"] == true)
        let done = try await json(["list", "Task", "--where", "done:=true", "--fields", "name"] + place)
        #expect(done.map { $0["name"] } == ["Buy bread"] && done.first?["done"] == nil)
        let sorted = try await json(["list", "Task", "--order=-name", "--limit", "1"] + place)
        #expect(sorted.map { $0["name"] } == ["from standard input"])
        let table = try await run(["list", "Task", "--fields", "name", "--order", "name"] + place)
        #expect(table.lines.first == "objectId    name" && table.lines.count == 3)
        #expect(try await run(["classes"] + place).lines == ["Class  Objects", "Task   2"])
        let deleted = try await run(["delete", "\(name)", "Task/nowhere"] + place)
        #expect(deleted.code == 1 && deleted.lines.contains("Deleted \(name)"))
        #expect(deleted.lines.contains { $0.hasPrefix("Error: there is no object Task/nowhere") })
        #expect(try await run(["get", "\(name)"] + place).code == 1)
        withExtendedLifetime(started) {}
    }

    @Test func dataDirectoryOfARunningGatewayLeadsToTheGateway() async throws {
        let daemon = try await Daemon(directory)
        let id = try await daemon.create(["name": "a"])
        #expect(try await json(["get", "Holiday/\(id)", "--data", directory.path]).first?["name"] == "a")
        // Only the master key in the directory shows the schema.
        #expect(try await run(["types", "--lang", "python", "--data", directory.path]).code == 0)
        #expect(try await run(["types", "--lang", "python", "--url", daemon.url]).code == 1)
        #expect(try await run(["status", "--data", directory.path]).lines.first == "Tidegate at \(daemon.url)")
        daemon.end(SIGTERM)
        let stopped = try await run(["status", "--data", directory.path])
        #expect(stopped.code == 3 && stopped.lines.joined().contains("no gateway runs in"))
    }

    @Test func heldRemovalsAreListedAndDecided() async throws {
        let hubDirectory = try TemporaryDirectory()
        let hub = try await Daemon(hubDirectory)
        var ids: [String] = []
        for n in 0..<6 { ids.append(try await hub.create(["n": .int(n)])) }
        let replica = try await Daemon.replica(of: hub.url, directory)
        #expect(try await replica.sync().status == 200)
        // The directory has the master key, which decisions need.
        let place = ["--data", directory.path]
        #expect(try await run(["removals"] + place).lines == ["No held removals."])

        for id in ids.prefix(4) { try await hub.send(.delete, "/classes/Holiday/\(id)") }
        #expect(try await replica.sync().status == 200)
        let held = try #require(try await json(["removals"] + place).first)
        #expect(
            held["className"] == "Holiday" && held["objects"] == 4 && held["of"] == 6 && held["reason"] == "tooMany")
        let id = "\(try #require(held["id"]?.int))"
        let table = try await run(["removals", "list"] + place).lines
        #expect(table.last?.hasPrefix("\(id) ") == true && table.last?.contains("4 of 6") == true, "\(table)")
        #expect(table.last?.hasSuffix("many objects are missing on the remote") == true)
        #expect(try await replica.holidays().count == 6)

        #expect(try await run(["removals", "confirm", id, "--url", replica.url]).code == 1)
        #expect(try await run(["removals", "confirm", "99"] + place).code == 1)
        #expect(try await replica.holidays().count == 6)
        let confirmed = try await run(["removals", "confirm", id] + place)
        #expect(confirmed.code == 0 && confirmed.lines == ["Removed the objects of the removal \(id)."])
        #expect(try await replica.holidays().count == 2)
        #expect(try await run(["removals"] + place).lines == ["No held removals."])
    }

    @Test func keptRemovalsAreSentAgain() async throws {
        let hubDirectory = try TemporaryDirectory()
        let hub = try await Daemon(hubDirectory)
        for n in 0..<5 { _ = try await hub.create(["n": .int(n)]) }
        let replica = try await Daemon.replica(of: hub.url, directory)
        #expect(try await replica.sync().status == 200)
        for id in try await hub.holidays().keys { try await hub.send(.delete, "/classes/Holiday/\(id)") }
        #expect(try await replica.sync().status == 200)
        let place = ["--data", directory.path]
        let id = "\(try #require(try await json(["removals"] + place).first?["id"]?.int))"
        let kept = try await run(["removals", "keep", id] + place)
        #expect(kept.code == 0 && kept.lines == ["The objects of the removal \(id) will be sent again."], "\(kept)")
        #expect(try await replica.sync().status == 200)
        #expect(try await hub.holidays().count == 5)
    }

    @Test func exitCodesTellFailuresFromUnreachableGatewaysAndWrongCommandLines() async throws {
        let daemon = try await Daemon(directory)
        for command in [
            ["list", "Task"], ["get", "Task/a"], ["put", "Task", "a=1"], ["classes"], ["pending"], ["open"],
        ] {
            #expect(try await run(command + ["--url", "http://127.0.0.1:9"]).code == 3, "\(command)")
            let answer = try await json(command + ["--url", "http://127.0.0.1:9"])
            #expect(answer.first?["error"]?.string?.hasPrefix("no gateway responds") == true, "\(command)")
        }
        #expect(try await run(["get", "Task"]).code == 64)
        #expect(try await run(["get", "Task/a", "--url", daemon.url]).code == 1)
        #expect(try await run(["pending", "--url", daemon.url]).code == 1)
        #expect(try await run(["list", "Task", "--data", directory.path + "/nowhere"]).code == 1)
    }

    @Test func sessionFileGivesTheRightsOfItsUser() async throws {
        let daemon = try await Daemon(directory)
        let ada = try await daemon.send(.post, "/users", ["username": "ada", "password": "sesame"]).json.object
        let (id, token) = (try #require(ada?["objectId"]?.string), try #require(ada?["sessionToken"]?.string))
        _ = try await daemon.create(["name": "hidden", "ACL": [:]])
        _ = try await daemon.create(["name": "ada's", "ACL": .object([id: ["read": true]])])
        let file = directory.path + "/session"
        try token.write(toFile: file, atomically: true, encoding: .utf8)
        let list = ["list", "Holiday", "--fields", "name", "--order", "name"]
        for place in [["--url", daemon.url], ["--data", directory.path]] {
            #expect(try await json(list + place + ["--session-file", file]).map { $0["name"] } == ["ada's"])
        }
        #expect(try await json(list + ["--data", directory.path]).map { $0["name"] } == ["ada's", "hidden"])
        daemon.end(SIGTERM)
        let stopped = ["--data", directory.path, "--session-file", file]
        #expect(try await json(list + stopped).map { $0["name"] } == ["ada's"])
        let refused = try await run([
            "put", "Holiday", "name=a", "--session-file", file + "x", "--data", directory.path,
        ])
        #expect(refused.code == 1 && refused.lines.joined().contains("cannot read"))
    }

    @Test func sessionsOfAReplicaNeedTheRunningGateway() async throws {
        let world = try await PeopleWorld()
        let file = directory.path + "/session"
        try "r:token".write(toFile: file, atomically: true, encoding: .utf8)
        world.stopReplica(SIGTERM)
        let place = ["--data", world.replicaDirectory.path]
        let refused = try await run(["list", "Note", "--session-file", file] + place)
        #expect(refused.code == 1 && refused.lines.joined().contains("start the gateway first"))
        #expect(try await run(["classes"] + place).code == 0)
    }

    @Test func wrongMasterKeyIsRefusedIfItIsGiven() async throws {
        let daemon = try await Daemon(directory)
        let refused = try await run(["classes", "--url", daemon.url, "--master-key", "wrong"])
        #expect(refused.code == 1 && refused.lines.joined().contains("does not accept the master key"))
    }

    @Test func keysOfAGatewayAreSent() async throws {
        let daemon = try await Daemon(directory, ["--local-app-id", "app", "--local-rest-key", "rest"])
        let list = ["list", "Holiday", "--url", daemon.url]
        #expect(try await run(list).code == 1)
        #expect(try await run(list + ["--app-id", "app", "--rest-key", "wrong"]).code == 1)
        #expect(try await run(list + ["--app-id", "app", "--rest-key", "rest"]).code == 0)
        #expect(try await run(["list", "Holiday", "--data", directory.path]).code == 0)
        daemon.end(SIGTERM)
        let closed = try await Daemon(directory, ["--access-key", "access"])
        let other = ["list", "Holiday", "--url", closed.url]
        #expect(try await run(other).code == 1)
        #expect(try await run(other + ["--access-key", "access"]).code == 0)
    }

    @Test func listOfAllObjectsReadsPageAfterPage() async throws {
        let daemon = try await Daemon(directory, ["--page-max", "7"])
        for number in 0..<20 { _ = try await daemon.create(["n": .int(number)]) }
        let list = ["list", "Holiday", "--url", daemon.url]
        let numbers = Set((0..<20).map { JSONValue.int($0) })
        #expect(Set(try await json(list + ["--all"]).compactMap { $0["n"] }) == numbers)
        #expect(try await json(list + ["--all", "--order=-n"]).compactMap { $0["n"]?.int } == (0..<20).reversed())
        #expect(try await json(list + ["--limit", "9"]).count == 9)
        #expect(try await json(list + ["--where", #"{"n":{"$lt":3}}"#, "--where", "n:=2"]).count == 1)
    }

    @Test func waitingChangesOfAStoppedReplicaAreListedUndoneAndSentAfterItsStart() async throws {
        let replicaDirectory = try TemporaryDirectory()
        let hub = try await Daemon(directory)
        let id = try await hub.create(["name": "a"])
        let first = try await Daemon.replica(of: hub.url, replicaDirectory, ["--people", "off"])
        #expect(try await first.sync().status == 200)
        first.end(SIGTERM)
        let place = ["--data", replicaDirectory.path]
        #expect(try await run(["put", "Holiday/\(id)", "name=b"] + place).code == 0)
        #expect(try await run(["put", "Holiday", "name=undone"] + place).code == 0)
        let pending = try await json(["pending"] + place)
        #expect(pending.map { $0["kind"] } == ["update", "create"])
        let undone = try #require(pending.last?["id"]?.int)
        #expect(try await run(["pending", "undo", "\(undone)"] + place).lines == ["Undid the change \(undone)."])
        #expect(try await run(["pending", "undo", "\(undone)"] + place).code == 1)
        let states = try await json(["list", "Holiday", "--sync"] + place).map { $0["_sync"]?.object?["state"] }
        #expect(states == ["updated"])
        let second = try await Daemon.replica(of: hub.url, replicaDirectory, ["--people", "off"])
        #expect(try await second.sync().status == 200)
        #expect(try await hub.holidays().values.map { $0.object?["name"] } == ["b"])
        withExtendedLifetime(second) {}
    }

    @Test func conflictsAndRejectionsAreListedAndDecided() async throws {
        let replicaDirectory = try TemporaryDirectory()
        let hub = try await Daemon(directory)
        let id = try await hub.create(["name": "a", "n": 1])
        let replica = try await Daemon.replica(of: hub.url, replicaDirectory, ["--people", "off"])
        #expect(try await replica.sync().status == 200)
        let place = ["--data", replicaDirectory.path]
        #expect(try await run(["put", "Holiday/\(id)", "name=here"] + place).code == 0)
        #expect(try await hub.send(.delete, "/classes/Holiday/\(id)").status == 200)
        #expect(try await replica.sync().status == 200)
        let conflict = try #require(try await json(["conflicts"] + place).first)
        #expect(conflict["kind"] == "deletedRemotely")
        let table = try await run(["conflicts"] + place)
        #expect(table.lines.last?.contains("Holiday/\(id)") == true && table.lines.last?.contains("(deleted)") == true)
        let number = "\(conflict["id"]?.int ?? 0)"
        let decided = try await run(["conflicts", "resolve", number, "--keep", "remote"] + place)
        #expect(decided.lines == ["Decided the conflict \(number)."])
        #expect(try await json(["conflicts"] + place).isEmpty)
        #expect(try await json(["conflicts", "--resolved"] + place).count == 1)
        let resolved = try await run(["conflicts", "--resolved"] + place)
        #expect(resolved.lines.first?.contains("decision") == true && resolved.lines.last?.contains("remote") == true)

        // The hub refuses a number as the name.
        #expect(try await replica.send(.post, "/classes/Holiday", ["name": 3]).status == 201)
        #expect(try await replica.sync().status == 200)
        let rejection = try #require(try await json(["rejections"] + place).first)
        let refused = "\(rejection["id"]?.int ?? 0)"
        let retry = try await run(["rejections", "retry", refused, "--object", #"{"name":"three"}"#] + place)
        #expect(retry.lines == ["The change \(refused) will be sent again."])
        #expect(try await replica.sync().status == 200)
        #expect(try await json(["rejections"] + place).isEmpty)
        #expect(try await hub.holidays().values.map { $0.object?["name"] } == ["three"])
        #expect(try await run(["rejections", "discard", refused] + place).code == 1)
    }

    @Test func escapeSequencesInAnswersAreNotPrinted() async throws {
        let daemon = try await Daemon(directory)
        let hostile: JSONValue = ["name": "\u{1B}]0;owned\u{7}\u{9B}31m\u{7F}\u{202E}", "other": "a\nb"]
        let id = try await daemon.create(hostile)
        for command in [
            ["list", "Holiday"], ["get", "Holiday/\(id)"], ["get", "Holiday/\u{1B}[2J"], ["open", "A\u{1B}"],
        ] {
            for more in [[], ["--json"]] {
                let output = try await run(command + more + ["--url", daemon.url]).lines.joined()
                #expect(!output.isEmpty)
                #expect(
                    !output.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
            }
        }
        #expect(
            try await json(["get", "Holiday/\(id)", "--url", daemon.url]).first?["name"] == hostile.object?["name"])
    }

    @Test func openPrintsTheAddressOfThePageWithoutADisplay() async throws {
        let daemon = try await Daemon(directory)
        #expect(try await run(["open", "--url", daemon.url]).lines == ["\(daemon.url)/"])
        let shown = try await run(["open", "Task/a b", "--url", daemon.url, "--json"])
        #expect(shown.lines == [#"{"url":"\#(daemon.url)/#/Task/a%20b","opened":false}"#])
    }
}
