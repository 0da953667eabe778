import Foundation
import HTTPClient
import HTTPTypes
import ParseModel
import Testing

/// Tests exports and imports of the real program, and the commands `tidegate export` and `tidegate import`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TransferDaemonTests {
    private let directory: TemporaryDirectory
    private let work: TemporaryDirectory
    private let arguments = ["--local-master-key", "master", "--local-maintenance-key", "imports"]
    private let environment = ["TIDEGATE_LOCAL_MASTER_KEY": "master", "TIDEGATE_LOCAL_MAINTENANCE_KEY": "imports"]

    init() throws {
        directory = try TemporaryDirectory()
        work = try TemporaryDirectory()
    }

    private func run(_ arguments: [String], input: String? = nil) async throws -> (lines: [String], code: Int32) {
        try await Run.ending(arguments, environment: environment, input: input)
    }

    private func write(_ text: String, to name: String) throws -> String {
        let path = work.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func lines(_ count: Int) -> String {
        (0..<count).map {
            #"{"objectId":"o\#($0)","createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2020-01-01T00:00:00.000Z","name":"Object \#($0)","n":\#($0)}"#
                + "\n"
        }.joined()
    }

    /// Sends an import, and kills the gateway when it reports that it writes.
    private func importAndKill(_ daemon: Daemon, _ path: String) async throws {
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        var headers: HTTPFields = [.accept: "application/x-ndjson"]
        headers[try #require(HTTPField.Name("X-Parse-Maintenance-Key"))] = "imports"
        let request = HTTPClientRequest(
            method: .post, url: daemon.url + "/import/Thing", headers: headers,
            bodyFile: HTTPClientRequest.BodyFile(path: path, size: size), isRepeatable: false)
        let transport = CurlTransport(configuration: .init())
        await #expect(throws: HTTPTransportError.self) {
            _ = try await transport.send(request) { piece in
                if String(decoding: piece, as: UTF8.self).contains(#""pass":"write""#) { daemon.kill() }
                return true
            }
        }
    }

    @Test func anImportContinuesAfterAKill() async throws {
        let path = try write(lines(20_000), to: "things.ndjson")
        let daemon = try await Daemon(directory, arguments)
        try await importAndKill(daemon, path)
        daemon.end(SIGKILL)

        let again = try await Daemon(directory, arguments)
        let before = try await again.send(.get, "/classes/Thing?limit=0&count=1").json.object?["count"]?.int ?? 0
        #expect(before > 0 && before < 20_000)
        let result = try await run(["import", path, "--class", "Thing", "--url", again.url, "--json"])
        #expect(result.code == 0)
        let counts = try #require(try result.lines.last.flatMap { try JSONReader.read($0).object })
        #expect(counts["made"] == .int(20_000 - before) && counts["unchanged"] == .int(before))
        let exported = try await run(["export", "Thing", "--url", again.url])
        #expect(exported.lines.sorted() == lines(20_000).split(separator: "\n").map(String.init).sorted())
    }

    @Test(arguments: [true, false]) func commandsCopyADirectoryOfAllClasses(isRunning: Bool) async throws {
        let source = try await Daemon(directory, arguments)
        _ = try await run(["user", "add", "ada", "--url", source.url], input: "sesame\n")
        _ = try await run(["role", "add", "editors", "--url", source.url])
        _ = try await run(["role", "members", "editors", "--add-user", "ada", "--url", source.url])
        for n in 0..<5 { _ = try await source.create(["name": .string("Day \(n)"), "n": .int(n)]) }
        try await source.send(.put, "/config", ["params": ["color": "green"]], masterKey: "master")
        // The objects are older than the required field.
        let schema: JSONValue = [
            "fields": ["day": ["type": "Date", "required": true]], "indexes": ["byName": ["name": 1]],
        ]
        try await source.send(.put, "/schemas/Holiday", schema, masterKey: "master")
        if !isRunning { source.end(SIGTERM) }
        let place = isRunning ? ["--url", source.url] : ["--data", directory.path]
        let exported = try await run(["export", "--to", work.path + "/all/"] + place)
        #expect(exported.code == 0, "\(exported.lines)")
        let names = try FileManager.default.contentsOfDirectory(atPath: work.path + "/all").sorted()
        #expect(
            names == [
                "Holiday.ndjson", "_GlobalConfig.ndjson", "_Join:users:_Role.ndjson", "_Role.ndjson", "_SCHEMA.ndjson",
                "_User.ndjson",
            ])

        let other = try TemporaryDirectory()
        let copy = try await Daemon(other, arguments)
        if !isRunning { copy.end(SIGTERM) }
        let target = isRunning ? ["--url", copy.url] : ["--data", other.path]
        let imported = try await run(["import", work.path + "/all"] + target)
        #expect(
            imported.code == 0 && imported.lines.first == "Holiday: 5 made, 0 changed, 0 unchanged, 0 refused",
            "\(imported.lines)")
        let all = { (place: [String]) in try await run(["export"] + place).lines }
        let (copies, originals) = (try await all(target), try await all(place))
        #expect(copies == originals && originals.contains { $0.contains("byName") })
        withExtendedLifetime((source, copy)) {}
    }

    @Test func theCommandNamesRefusedLinesAndReadsStandardInput() async throws {
        let daemon = try await Daemon(directory, arguments)
        let place = ["--url", daemon.url]
        let text = "{\"n\":1}\n{\"n\":\"x\"}\n"
        let refused = try await run(["import", "-", "--class", "Thing"] + place, input: text)
        #expect(refused.code == 1)
        #expect(
            refused.lines.contains(
                "Thing: 1 would be made, 0 would be changed, 0 unchanged, 1 refused (nothing was written)"))
        #expect(refused.lines.contains("  line 2: schema mismatch for Thing.n; expected Number but got String"))
        let checked = try await run(["import", "-", "--class", "Thing", "--dry-run"] + place, input: "{\"n\":1}\n")
        #expect(checked.lines == ["Thing: 1 would be made, 0 would be changed, 0 unchanged, 0 refused (checked only)"])
        let missing = try await run(["import", work.path + "/none.csv"] + place)
        #expect(missing.code == 1 && missing.lines == ["Error: there is no file \(work.path)/none.csv"])
        let table = try write("Title,due\r\nx,2030-01-02\r\n", to: "list.csv")
        let mapped = try await run(
            ["import", table, "--class", "Thing", "--rename", "Title=name", "--type", "due=Date"] + place)
        #expect(mapped.code == 0, "\(mapped.lines)")
        #expect(!mapped.lines.contains { $0.hasPrefix("No object has") })
        let misspelt = try await run(
            ["import", table, "--class", "Thing", "--dry-run", "--rename", "Titel=name"] + place)
        #expect(misspelt.lines.contains("No object has the field Titel of --rename or --type."))
        let file = work.path + "/things.csv"
        #expect(
            try await run(["export", "Thing", "--format", "csv", "--keys", "name,due", "--to", file] + place).code == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix(",x,2030-01-02T00:00:00.000Z\r\n"))
        #expect(try await run(["export", "--to", "all.csv", "--format", "csv"] + place).code != 0)
        #expect(try await run(["export", "Thing", "--where", "{bad"] + place).code == 64)
    }

    @Test func directoryWithARefusedObjectOrContentChangesNothing() async throws {
        let daemon = try await Daemon(directory, arguments)
        let source = work.path + "/source"
        try FileManager.default.createDirectory(atPath: source + "/files", withIntermediateDirectories: true)
        _ = try write("{\"objectId\":\"a\",\"n\":1}\n", to: "source/Aaa.ndjson")
        _ = try write("{\"n\":1}\n{\"n\":\"x\"}\n", to: "source/Bbb.ndjson")
        let file = "files/0123456789abcdef0123456789abcdef_note.txt"
        _ = try write("Content", to: "source/\(file)")
        let place = ["--url", daemon.url]
        let refused = try await run(["import", source, "--json"] + place)
        #expect(refused.code == 1)
        let line = try #require(refused.lines.first)
        let result = try #require(try JSONReader.read(line).object)
        #expect(refused.lines.count == 1 && result["file"] == "Bbb.ndjson" && result["refused"] == 1)
        #expect(try await daemon.send(.get, "/classes/Aaa").json.object?["results"] == [])

        _ = try write("{\"n\":1}\n", to: "source/Bbb.ndjson")
        let checked = try await run(["import", source, "--dry-run"] + place)
        #expect(checked.code == 0 && checked.lines.first == "files: 1 would be made, 0 unchanged")
        let imported = try await run(["import", source] + place)
        #expect(imported.code == 0 && imported.lines.first == "files: 1 made, 0 unchanged")

        // The gateway has another content under this name.
        _ = try write("Another content", to: "source/\(file)")
        _ = try write("{\"objectId\":\"a\",\"n\":2}\n", to: "source/Aaa.ndjson")
        for options in [[], ["--dry-run"]] {
            let refused = try await run(["import", source] + options + place)
            #expect(refused.code == 1 && refused.lines.joined().contains("another file with the name"))
        }
        #expect(try await daemon.send(.get, "/classes/Aaa/a").json.object?["n"] == 1)
    }

    @Test(arguments: [true, false]) func sessionExportsAndImportsWithTheRightsOfItsUser(isRunning: Bool) async throws {
        let daemon = try await Daemon(directory, arguments)
        let ada = try await daemon.send(.post, "/users", ["username": "ada", "password": "sesame"]).json.object
        let id = try #require(ada?["objectId"]?.string)
        _ = try await daemon.send(.post, "/classes/Task", ["name": "hidden", "ACL": [:]])
        _ = try await daemon.send(
            .post, "/classes/Task", ["name": "ada's", "ACL": .object([id: ["read": true, "write": true]])])
        let token = try #require(ada?["sessionToken"]?.string)
        let session = try write(token, to: "session")
        if !isRunning { daemon.end(SIGTERM) }
        let place = (isRunning ? ["--url", daemon.url] : ["--data", directory.path]) + ["--session-file", session]
        let exported = try await Run.ending(["export", "Task", "--keys", "name"] + place)
        #expect(exported.code == 0 && exported.lines.count == 1 && exported.lines.joined().contains("ada's"))
        #expect(try await Run.ending(["export"] + place).code == 1)
        let tasks = try write("{\"name\":\"new\"}\n", to: "tasks.ndjson")
        let imported = try await Run.ending(["import", tasks, "--class", "Task"] + place)
        #expect(imported.code == 0, "\(imported.lines)")
        let users = try write("{\"username\":\"eve\",\"password\":\"x\"}\n", to: "users.ndjson")
        #expect(try await Run.ending(["import", users, "--class", "_User"] + place).code == 1)
    }

    @Test func exportsIntoFilesPrintTheirCountsAsJSON() async throws {
        let daemon = try await Daemon(directory, arguments)
        for n in 0..<3 { _ = try await daemon.create(["n": .int(n), "text": "\"a\",\nb"]) }
        func counts(_ arguments: [String]) async throws -> JSONObject {
            let run = try await run(["export", "--json", "--url", daemon.url] + arguments)
            #expect(run.code == 0, "\(run.lines)")
            return try #require(try JSONReader.read(run.lines.joined()).object)
        }
        for format in ["ndjson", "csv", "parse"] {
            let path = work.path + "/holidays." + format
            let one = try await counts(["Holiday", "--to", path, "--format", format])
            #expect(one == ["to": .string(path), "objects": 3])
        }
        let none = try await counts([
            "Holiday", "--to", work.path + "/none", "--format", "parse", "--where", "{\"n\":9}",
        ])
        #expect(none["objects"] == 0)
        let path = work.path + "/all/"
        let all = try await counts(["--to", path, "--files"])
        let lines = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".ndjson") }.map {
            try String(contentsOfFile: path + $0, encoding: .utf8).split(separator: "\n").count
        }
        #expect(all["classes"] == .int(lines.count) && all["objects"] == .int(lines.reduce(0, +)))
        #expect(all["files"] == ["written": 0, "present": 0, "missing": 0])
        let rows = try await counts(["Holiday", "--to", path, "--format", "postgres"])
        #expect(rows == ["to": .string(path), "classes": 1, "objects": 3, "passwordsLeftOut": 0])
        let refused = try await run([
            "export", "Nowhere", "--to", path, "--format", "mongo", "--json", "--url", daemon.url,
        ])
        #expect(refused.code == 1 && refused.lines == [#"{"error":"there is no schema of a class Nowhere"}"#])
        #expect(try await run(["export", "--json", "--url", daemon.url]).code == 64)
    }

    @Test func newTimesAreNotedOnlyOfObjectsThatTheImportHasMade() async throws {
        let daemon = try await Daemon(directory, arguments)
        let keys = ["TIDEGATE_LOCAL_MASTER_KEY": "master"]
        func imported(_ text: String) async throws -> [String] {
            let arguments = ["import", "-", "--class", "Thing", "--url", daemon.url]
            return try await Run.ending(arguments, environment: keys, input: text).lines
        }
        let hasNote = { (lines: [String]) in lines.contains { $0.hasPrefix("New objects have got new times") } }
        #expect(!hasNote(try await imported("{\"n\":1}\n{\"n\":\"x\"}\n")))
        #expect(hasNote(try await imported("{\"objectId\":\"a\",\"n\":1}\n")))
        #expect(!hasNote(try await imported("{\"objectId\":\"a\",\"n\":1}\n")))
        let help = try await Run.ending(["import", "--help"])
        #expect(!help.lines.joined().contains("mongo"))
    }

    @Test(arguments: [true, false]) func aDirectoryCarriesFilesAndPasswords(isRunning: Bool) async throws {
        let source = try await Daemon(directory, arguments)
        let original = ["--url", source.url]
        _ = try await run(["user", "add", "ada"] + original, input: "sesame\n")
        let details: HTTPFields = [
            try #require(HTTPField.Name("X-Parse-File-Metadata")): #"{"by":"zo\u00eb","n":1}"#,
            try #require(HTTPField.Name("X-Parse-File-Tags")): #"{"kind":"note"}"#,
        ]
        let uploaded = try await source.send(.post, "/files/note.txt", "hello", headers: details)
        let file = try #require(uploaded.json.object?["name"]?.string)
        _ = try await source.create(["name": "Day", "file": ["__type": "File", "name": .string(file)]])
        let photo = try #require(
            try await source.send(.post, "/files/photo", "picture", contentType: "image/png").json.object?["name"]?
                .string)
        _ = try await source.create(["name": "Night", "file": ["__type": "File", "name": .string(photo)]])
        _ = try await source.create(["name": "Lost", "file": ["__type": "File", "name": "lost.txt"]])
        if !isRunning { source.end(SIGTERM) }
        let place = isRunning ? original : ["--data", directory.path]
        let to = ["export", "--to", work.path + "/all/", "--files", "--with-password-hashes"]
        let exported = try await run(to + place)
        #expect(
            exported.code == 0 && exported.lines.contains("Wrote 2 files. 0 were there before."), "\(exported.lines)")
        #expect(exported.lines.contains("The gateway does not have the contents of 1 reference to files."))
        let content = try String(contentsOfFile: work.path + "/all/files/" + file, encoding: .utf8)
        #expect(content.contains("hello"))
        let mode = try FileManager.default.attributesOfItem(atPath: work.path + "/all/_User.ndjson")[.posixPermissions]
        #expect(mode as? Int == 0o600)

        let other = try TemporaryDirectory()
        let copy = try await Daemon(other, arguments)
        if !isRunning { copy.end(SIGTERM) }
        let target = isRunning ? ["--url", copy.url] : ["--data", other.path]
        let imported = try await run(["import", work.path + "/all"] + target)
        #expect(imported.code == 0 && imported.lines.first == "files: 2 made, 0 unchanged", "\(imported.lines)")
        let again = try await run(["import", work.path + "/all"] + target)
        #expect(again.lines.first == "files: 0 made, 2 unchanged", "\(again.lines)")
        let second = try await run(
            ["export", "--to", work.path + "/copy/", "--files", "--with-password-hashes"] + target)
        #expect(second.lines.contains("Wrote 2 files. 0 were there before."), "\(second.lines)")
        let names =
            ["_User.ndjson", "_SCHEMA.ndjson"] + [file, photo].flatMap { ["files/\($0)", "file-details/\($0).json"] }
        for name in names {
            let texts = try ["/all/", "/copy/"].map {
                try String(contentsOfFile: work.path + $0 + name, encoding: .utf8)
            }
            #expect(texts[0] == texts[1] && !texts[0].isEmpty)
        }
        let written = try String(contentsOfFile: work.path + "/copy/file-details/" + file + ".json", encoding: .utf8)
        #expect(written == #"{"metadata":{"by":"zoë","n":1},"tags":{"kind":"note"}}"#)
        let type = try String(contentsOfFile: work.path + "/copy/file-details/" + photo + ".json", encoding: .utf8)
        #expect(type == #"{"contentType":"image/png"}"#)
        withExtendedLifetime((source, copy)) {}
    }
}
