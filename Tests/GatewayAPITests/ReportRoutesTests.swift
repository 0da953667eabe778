import GatewayAPI
import ParseModel
import Testing

/// The calls that show the program to the person who runs the gateway.
@Suite struct ReportRoutesTests {
    private struct Report: ProgramReport {
        let settings = [
            SettingInUse(
                name: "listen", group: "Gateway", text: "The address.", value: "[::1]:1", isSecret: false,
                source: "--listen"),
            SettingInUse(
                name: "access-key", group: "Clients", text: "The key.", value: nil, isSecret: true, source: nil),
        ]

        let backups: BackupStatus? = BackupStatus(
            directory: "/backup", interval: .seconds(86_400), keptMax: 7,
            last: BackupStatus.Backup(name: "b.tar", at: ParseDate(milliseconds: 0), byteCount: 9), failures: 1,
            lastError: "The disk is full.")

        func logLines(after number: Int) -> [LogLine] {
            (1...3).map { LogLine(number: $0, at: ParseDate(milliseconds: 0), level: "info", message: "line \($0)") }
                .filter { $0.number > number }
        }

        func checks(includesFile: Bool) async throws -> JSONObject { ["file": .bool(includesFile)] }
    }

    private static let lines = [
        "GET /system/settings", "GET /system/log", "GET /system/requests", "GET /system/indexes",
        "GET /system/checks",
    ]

    @Test func settingsHaveValuesAndSources() async {
        let gateway = Gateway.make(report: Report())
        expect(
            await gateway.send("GET /system/settings"), 200,
            #"{"settings":[{"name":"listen","group":"Gateway","about":"The address.","value":"[::1]:1","secret":false,"#
                + #""source":"--listen"},{"name":"access-key","group":"Clients","about":"The key.","value":null,"#
                + #""secret":true,"source":"default"}]}"#)
    }

    @Test func logLinesAreReadAfterANumber() async {
        let gateway = Gateway.make(report: Report())
        expect(
            await gateway.send("GET /system/log?after=2"), 200,
            #"{"lines":[{"number":3,"at":"1970-01-01T00:00:00.000Z","level":"info","message":"line 3"}],"last":3}"#)
        expect(await gateway.send("GET /system/log?after=3"), 200, #"{"lines":[],"last":3}"#)
        #expect(await gateway.send("GET /system/log?after=x").status == 400)
        #expect(await gateway.send("GET /system/log").text.contains("line 1"))
    }

    @Test func checksReadTheFileOnlyWhenTheRequestSaysSo() async {
        let gateway = Gateway.make(report: Report())
        expect(await gateway.send("GET /system/checks"), 200, #"{"file":false,"backups":\#(Self.backups)}"#)
        expect(await gateway.send("GET /system/checks?file=true"), 200, #"{"file":true,"backups":\#(Self.backups)}"#)
    }

    private static let backups =
        #"{"directory":"/backup","everySeconds":86400,"keep":7,"last":{"name":"b.tar","at":"1970-01-01T00:00:00.000Z","#
        + #""bytes":9},"failures":1,"failed":true,"lastError":"The disk is full."}"#

    @Test func syncStatusTellsWithoutTheMasterKeyOnlyWhetherTheLatestBackupHasFailed() async {
        func keys(_ configuration: inout APIConfiguration) { configuration.keys = .init(masterKey: "master") }
        for gateway in [Gateway.make(report: Report(), keys), Gateway.make(sync: FakeSync(), report: Report(), keys)] {
            let answer = await gateway.send("GET /sync", ["X-Parse-Master-Key": "master"])
            #expect(answer.status == 200 && answer.text.contains(#""backups":\#(Self.backups)"#), "\(answer.text)")
            let other = await gateway.send("GET /sync")
            #expect(other.status == 200 && other.text.contains(#""backups":{"failed":true}"#), "\(other.text)")
        }
    }

    @Test func latestRequestsAreListedWithoutTheirQueries() async {
        let gateway = Gateway.make(tick: .milliseconds(2))
        #expect(await gateway.send("GET /classes/Holiday?where={%22secret%22:1}").status == 200)
        #expect(await gateway.send("GET /nothing/here", ["X-Parse-Master-Key": "wrong"]).status == 404)
        let answer = await gateway.send("GET /system/requests").text
        #expect(answer.contains(#""number":2,"#) && answer.contains(#""path":"/nothing/here","status":404"#))
        #expect(answer.contains(#""method":"GET","path":"/classes/Holiday","status":200,"milliseconds":"#))
        #expect(!answer.contains("secret") && !answer.contains("wrong"))
    }

    @Test func indexesAreListedWithTheirUse() async {
        expect(
            await Gateway.make().send("GET /system/indexes"), 200,
            #"{"indexes":[{"className":"Holiday","fields":["name","date"],"uses":2,"lastUsedAt":"1970-01-01T00:00:00.000Z"},"#
                + #"{"className":"Note","fields":["n"],"uses":0,"lastUsedAt":null}]}"#)
    }

    @Test func atMost200RequestsAreKept() async {
        let gateway = Gateway.make()
        for _ in 0..<230 { #expect(await gateway.send("GET /health").status == 200) }
        let answer = await gateway.send("GET /system/requests").text
        let numbers = answer.matches(of: /"number":(\d+)/).compactMap { Int($0.output.1) }
        #expect(numbers == (31...230).reversed())
    }

    @Test func programOfAGatewayWithUsersIsShownOnlyToItsOwner() async {
        func keys(_ configuration: inout APIConfiguration) { configuration.keys = .init(masterKey: "master") }
        let standalone = Gateway.make(report: Report(), keys)
        #expect(await standalone.send("POST /users", body: #"{"username":"ada"}"#).status == 201)
        let gateways = [
            standalone, Gateway.make(users: .site(NamedUsers()), report: Report(), keys),
            Gateway.make(users: .spaces(FakeSpaces()), report: Report(), keys),
        ]
        for gateway in gateways {
            for line in Self.lines {
                #expect(await gateway.send(line).status == 403, "\(line)")
                #expect(await gateway.send(line, ["X-Parse-Master-Key": "master"]).status == 200, "\(line)")
            }
        }
        let replica = Gateway.make(sync: FakeSync(), report: Report())
        for line in Self.lines { #expect(await replica.send(line).status == 200, "\(line)") }
    }

    @Test func descriptionOfTheAPIIsReadAsAPageAndAsJSON() async {
        let gateway = Gateway.make {
            $0.webDirectory = "/"
            $0.openAPIJSON = { Array(#"{"openapi":"3.1.0"}"#.utf8) }
        }
        expect(await gateway.send("GET /openapi.json"), 200, #"{"openapi":"3.1.0"}"#)
        let page = await gateway.send("GET /docs")
        #expect(page.status == 302 && page.header("Location") == "/docs/index.html")
        #expect(await Gateway.make().send("GET /docs").status == 404)
        #expect(await Gateway.make().send("GET /openapi.json").status == 404)
    }
}
