import ArgumentParser
import ParseModel
import RemoteService
import SyncModel
import Testing

@testable import Gateway
@testable import tidegate

struct CommandLineTests {
    @Test func everySettingHasACommandLineOption() throws {
        for setting in Setting.all {
            let isFlag = setting.form == .flag
            let options = try GatewayOptions.parse(isFlag ? [setting.option] : [setting.option, "text"])
            #expect(options.arguments == [setting: [isFlag ? "true" : "text"]])
        }
    }

    @Test func removedSettingIsStillAcceptedAsAnOption() throws {
        for setting in RemovedSettings.settings {
            #expect(try GatewayOptions.parse([setting.option, "-1"]).arguments == [setting: ["-1"]])
        }
    }

    @Test func helpShowsCommonSettingsAndHelpAllShowsAll() {
        let all = Tidegate.helpMessage(for: ServeCommand.self, columns: 100)
        let short = ShownSettings.$areCommon.withValue(true) {
            Tidegate.helpMessage(for: ServeCommand.self, columns: 100)
        }
        func lists(_ help: String, _ setting: Setting) -> Bool {
            help.split(separator: "\n").contains { $0.hasPrefix("  \(setting.option) ") || $0 == "  \(setting.option)" }
        }
        for setting in Setting.all {
            #expect(lists(all, setting) && lists(short, setting) == setting.isCommon, "\(setting.name)")
        }
        for setting in RemovedSettings.settings { #expect(!all.contains(setting.option + " ")) }
        for group in Setting.groups { #expect(all.contains(group.title.uppercased() + ":")) }
    }

    @Test func aMisspeltOptionIsAnsweredWithASuggestion() {
        for (misspelt, option) in [("--pul-interval", "--pull-interval"), ("--page-mx", "--page-max")] {
            let error = #expect(throws: (any Error).self) { try Tidegate.parseAsRoot(["serve", misspelt, "3"]) }
            #expect(error.map { Tidegate.message(for: $0).contains("Did you mean '\(option)'?") } == true)
        }
    }

    @Test func shellCompletionOffersEverySetting() {
        let script = Tidegate.completionScript(for: .bash)
        for setting in Setting.all { #expect(script.contains(setting.option), "\(setting.name)") }
    }

    @Test func commandLineOptionClassMayBeRepeated() throws {
        let options = try GatewayOptions.parse(["--class", "Holiday", "--class", "Birthday"])
        #expect(options.arguments == [.className: ["Holiday", "Birthday"]])
    }

    @Test func demoReplicaSyncsWithItsHub() throws {
        let command = try #require(
            try Tidegate.parseAsRoot(["demo", "--hub-port", "7001", "--port", "7002"]) as? DemoCommand)
        let directories = StandardDirectories(environment: ["HOME": "/home/ada"], current: "/", executable: nil)
        let plan = try DemoPlan(command, directories: directories)
        #expect(plan.hub.remote == nil)
        #expect(plan.hub.listen.description == "127.0.0.1:7001")
        #expect(plan.replica.remote == .init(url: "http://127.0.0.1:7001", applicationId: "demo"))
        #expect(plan.replica.listen.description == "127.0.0.1:7002")
        #expect(plan.replica.classes == ["Holiday", "Birthday"])
        #expect(plan.replica.filesOfNewClasses == FileDownloads(standard: .eager))
        #expect(plan.hub.dataDirectory != plan.replica.dataDirectory)
    }

    @Test func demoCommandWithoutAnyGatewayIsRefused() {
        #expect(throws: (any Error).self) { try Tidegate.parseAsRoot(["demo", "--only-hub", "--without-hub"]) }
        #expect(throws: (any Error).self) { try Tidegate.parseAsRoot(["demo", "--port", "1337"]) }
    }

    @Test func syncSummaryListsOpenDecisions() {
        #expect(
            SyncText.summary(["pulled": 12, "pushed": 1, "removed": 0, "durationMs": 1250])
                == "Synced: 12 pulled, 1 pushed, 0 removed in 1.2 s.")
        #expect(
            SyncText.summary(["conflicts": 1, "rejections": 2])
                == "Synced: 0 pulled, 0 pushed, 0 removed.\nNeeds a decision: 1 in conflict, 2 refused by the remote.")
    }

    @Test func theStatusIsPrintedAsATable() {
        let status: JSONObject = [
            "mode": "replica", "remote": ["url": "http://hub", "applicationId": "demo"], "state": "idle",
            "online": false, "lastError": ["message": "connection refused"], "lastSyncAt": nil, "pending": 1,
            "rejections": 0, "conflicts": 0, "initialSyncComplete": true,
            "classes": [["name": "Holiday", "objects": 12, "pending": 1, "initialSyncComplete": true]],
        ]
        #expect(
            SyncText.status(status, url: "http://gate") == """
                Tidegate at http://gate
                  Mode        replica
                  Remote      http://hub
                  State       idle
                  Online      no
                  Last error  connection refused
                  Last sync   never
                  Waiting     1 change
                  Rejections  0
                  Conflicts   0

                  Class    Objects  Waiting
                  Holiday  12       1
                """)
    }

    @Test func statusIsPrintedWithStalledWorkAndTheWayOut() {
        let entries: JSONValue = [
            ["kind": "sync", "text": "It fails.", "wayOut": "Ask."],
            ["kind": "change", "className": "Note", "objectId": "a", "text": "It waits.", "wayOut": "Decide."],
        ]
        let status: JSONObject = [
            "mode": "replica", "state": "idle", "stalled": ["changes": 1, "pulls": 0, "entries": entries],
        ]
        #expect(
            SyncText.status(status, url: "http://gate").hasSuffix(
                """

                  Stalled
                  Sync: It fails.
                    → Ask.
                  Note/a: It waits.
                    → Decide.
                """))
        #expect(StatusCheck(status).line == "WARNING: the sync, 1 change stalled: It fails")
    }

    @Test func statusIsPrintedWithATableOfUsers() {
        let status: JSONObject = [
            "mode": "replica", "state": "idle", "people": ["mode": "personal", "users": 2, "waitingForLogIn": 1],
            "users": [
                [
                    "objectId": "a", "username": "ada", "pending": 1, "rejections": 0, "conflicts": 0, "removals": 0,
                    "waitsForLogIn": true, "offlineUntil": nil,
                ],
                [
                    "objectId": "b", "username": nil, "pending": 12, "rejections": 1, "conflicts": 0, "removals": 0,
                    "stalled": 2,
                    "waitsForLogIn": false, "offlineUntil": "2026-12-02T20:21:26.829Z",
                ],
            ],
        ]
        #expect(
            SyncText.status(status, url: "http://gate").hasSuffix(
                """
                  Users       2, and 1 change waits for its author to log in

                  User  Waiting  Rejections  Conflicts  Removals  Works offline until
                  ada   1        0           0          0         not now; changes wait for a log-in
                  b     12       1           0          0         2026-12-02T20:21:26.829Z; 2 changes stalled
                """))
    }

    @Test func theProgressOfASyncIsPrintedOnOneLine() {
        #expect(
            SyncText.progress([
                "state": "running", "progress": ["phase": "pull", "class": "Holiday", "done": 40, "total": 100],
                "pending": 2,
            ])
                == "Syncing · pull Holiday · 40 of 100 · 2 changes to send")
        let begin: JSONObject = ["phase": "push", "class": nil, "done": 0, "total": 120]
        #expect(SyncText.progress(["state": "running", "progress": .object(begin)]) == "Syncing · push · 0 of 120")
        #expect(SyncText.progress(["state": "running", "progress": nil, "pending": 0]) == "Syncing")
    }

    @Test func theFindingsOfDoctorArePrintedAsLines() {
        let report = DoctorReport([
            RemoteFinding("health", .ok, "The remote answers."), RemoteFinding("class", .noted, "A note."),
            RemoteFinding("keys", .failed, "The remote rejects the keys.", hint: "compare them"),
            RemoteFinding("chosenIds", .notAsked, "the keys are wrong"),
            RemoteFinding("classes", .notAsked, "the keys are wrong"),
            RemoteFinding("writes", .notAsked, "nothing to write to"),
        ])
        #expect(
            report.lines == [
                "✓ The remote answers.", "  A note.", "✗ The remote rejects the keys.", "  → compare them",
                "– Not checked: chosen ids, classes. Reason: the keys are wrong",
                "– Not checked: writes. Reason: nothing to write to",
            ])
    }

    @Test func theFindingsOfDoctorCanBePrintedAsJSON() {
        let findings = [
            RemoteFinding("health", .ok, "The remote answers."),
            RemoteFinding("keys", .failed, "The remote rejects the keys.", hint: "compare them"),
        ]
        #expect(
            findings.map(DoctorFindings.json) == [
                ["name": "health", "state": "ok", "text": "The remote answers."],
                [
                    "name": "keys", "state": "failed", "text": "The remote rejects the keys.", "hint": "compare them",
                ],
            ])
    }

    @Test func doctorFailsForAFailedFindingAndForDamage() {
        let failed = RemoteFinding("keys", .failed, "The remote rejects the keys.")
        #expect(DoctorFindings.isHealthy([RemoteFinding("health", .notAsked, "no answer")], damage: []))
        #expect(DoctorFindings.isHealthy(nil, damage: nil))
        #expect(!DoctorFindings.isHealthy([failed], damage: nil))
        #expect(!DoctorFindings.isHealthy(nil, damage: ["a page is damaged"]))
    }

    @Test func theOutputOfSyncEndsWithTheNumberOfLocalObjects() {
        let status: JSONObject = ["classes": [["name": "Holiday", "objects": 12], ["name": "Boat", "objects": 30]]]
        #expect(SyncText.total(status) == "Local: 42 objects in 2 classes.")
        #expect(SyncText.total(["classes": [["name": "Boat", "objects": 1]]]) == "Local: 1 object in 1 class.")
        #expect(SyncText.total(["classes": []]) == nil)
    }

    @Test func commandsAcceptTheJSONFlag() throws {
        #expect((try Tidegate.parseAsRoot(["sync", "--json"]) as? SyncCommand)?.json == true)
        #expect((try Tidegate.parseAsRoot(["doctor", "--json"]) as? DoctorCommand)?.json == true)
        #expect((try Tidegate.parseAsRoot(["status", "--check", "--json"]) as? StatusCommand)?.check == true)
    }

    @Test func doctorRefusesToCheckTheFileWithTheSettingsOnly() {
        #expect(throws: (any Error).self) {
            try Tidegate.parseAsRoot(["doctor", "--settings-only", "--check-file"])
        }
    }

    private static let calm: JSONObject = [
        "mode": "replica", "state": "idle", "online": true, "lastSyncAt": "2027-01-01T00:00:00.000Z", "pending": 0,
        "rejections": 0, "conflicts": 0, "removals": 0, "initialSyncComplete": true, "lastError": nil,
    ]

    @Test func statusShowsTheAgeOfTheLatestBackupAndTheFailureAfterIt() {
        let last: JSONObject = ["name": "b.tar", "at": "1970-01-01T00:00:00.000Z", "bytes": 9]
        func rows(_ last: JSONValue, _ error: JSONValue, hours: Int64) -> [String] {
            let status: JSONObject = ["backups": ["last": last, "lastError": error]]
            return BackupText.rows(status, now: ParseDate(milliseconds: hours * 3_600_000)).map { "\($0): \($1)" }
        }
        #expect(rows(.object(last), nil, hours: 1) == ["Last backup: 1970-01-01T00:00:00.000Z (60 minutes ago, b.tar)"])
        #expect(rows(.object(last), nil, hours: 47) == ["Last backup: 1970-01-01T00:00:00.000Z (47 hours ago, b.tar)"])
        #expect(
            rows(.object(last), "The disk is full.", hours: 49) == [
                "Last backup: 1970-01-01T00:00:00.000Z (2 days ago, b.tar)", "Backup error: The disk is full.",
            ])
        #expect(rows(nil, nil, hours: 1) == ["Last backup: none"])
        #expect(BackupText.rows([:]).isEmpty)
        #expect(BackupText.rows(["backups": ["failed": false]]).isEmpty)
    }

    private static let checks: [(JSONObject, Int32, String)] = [
        ([:], 0, "OK: last sync 2027-01-01T00:00:00.000Z"),
        (["pending": 3], 0, "OK: last sync 2027-01-01T00:00:00.000Z, 3 waiting"),
        (["mode": "standalone"], 0, "OK: standalone"),
        (["mode": "standalone", "backups": ["lastError": nil]], 0, "OK: standalone"),
        (
            ["mode": "standalone", "backups": ["lastError": "the disk is full"]], 1,
            "WARNING: no backup was written: the disk is full"
        ),
        (["mode": "standalone", "backups": ["failed": false]], 0, "OK: standalone"),
        (
            ["mode": "standalone", "backups": ["failed": true]], 1,
            "WARNING: no backup was written: the reason is shown only with the master key"
        ),
        (["backups": ["lastError": "x"], "removals": 1], 1, "WARNING: no backup was written: x; 1 removal held back"),
        (["state": "paused"], 1, "WARNING: syncing is paused"),
        (["conflicts": 1, "rejections": 2], 1, "WARNING: 1 in conflict; 2 refused by the remote"),
        (["removals": 1], 1, "WARNING: 1 removal held back"),
        (["initialSyncComplete": false], 1, "WARNING: the initial sync is not complete"),
        (["lastError": ["message": "No route.", "kind": "offline"]], 1, "WARNING: No route"),
        (["lastError": ["message": "A web page.", "kind": "foreign"]], 2, "CRITICAL: A web page"),
        (
            ["lastError": ["message": "Wrong key.", "kind": "unauthorized"], "pushPaused": ["reason": "Wrong key."]],
            2, "CRITICAL: Wrong key"
        ),
        (
            [
                "classes": [
                    ["name": "Boat", "stopped": nil], ["name": "Holiday", "stopped": ["reason": "Make room."]],
                ]
            ],
            1, "WARNING: Holiday is no longer pulled: Make room"
        ),
        (
            [
                "stalled": [
                    "changes": 2, "pulls": 1,
                    "entries": [["kind": "pull", "className": "Boat", "text": "It fails.", "wayOut": "Ask."]],
                ]
            ],
            1, "WARNING: 1 pull, 2 changes stalled: It fails"
        ),
        (["stalled": nil, "users": [["stalled": 3]]], 1, "WARNING: 3 changes stalled"),
        (
            ["people": ["users": 2, "waitingForLogIn": 3]], 1,
            "WARNING: 3 changes wait for their author to log in"
        ),
        (
            ["people": ["users": 2, "waitingForLogIn": 0]], 0,
            "OK: last sync 2027-01-01T00:00:00.000Z. Conflicts and refused changes of users are shown only with the master key"
        ),
        (["people": ["users": 2, "waitingForLogIn": 0], "users": []], 0, "OK: last sync 2027-01-01T00:00:00.000Z"),
        (
            ["people": ["mode": "site"], "conflicts": 1, "users": [["conflicts": 1], ["conflicts": 1]]], 1,
            "WARNING: 1 in conflict"
        ),
        (["conflicts": 1, "users": [["conflicts": 2]]], 1, "WARNING: 3 in conflict"),
        (["state": nil], 3, "UNKNOWN: the response has no state"),
    ]

    @Test(arguments: checks)
    func exitCodeOfTheStatusCheckFollowsTheSyncState(changes: JSONObject, code: Int32, line: String) {
        var status = Self.calm
        for (name, value) in changes { status[name] = value }
        let check = StatusCheck(status)
        #expect(check.level.rawValue == code)
        #expect(check.line == line)
    }

    @Test func statusCheckOfAnUnreachableGatewayIsUnknown() {
        let check = StatusCheck(noAnswer: "no gateway responds")
        #expect(check.level.rawValue == 3)
        #expect(check.line == "UNKNOWN: no gateway responds")
    }

    @Test func theStatusOfAStandaloneGatewayHasNoSyncPart() {
        let status: JSONObject = ["mode": "standalone", "state": "idle", "online": true, "pending": 0]
        #expect(
            SyncText.status(status, url: "http://hub") == """
                Tidegate at http://hub
                  Mode        standalone (no remote)
                """)
    }
}
