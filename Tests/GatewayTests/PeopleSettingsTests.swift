import Foundation
import ParseModel
import StoreService
import Testing

@testable import Gateway

/// Tests the default of the setting `people` and the settings that it needs.
struct PeopleSettingsTests {
    private let directory: TemporaryDirectory
    private var keyFile: String { directory.path + "/keys/session-key" }

    init() throws { directory = try TemporaryDirectory() }

    private func people(_ arguments: [Setting: String]) throws -> PeopleSettings {
        let replica: [Setting: String] = [
            .remote: "https://parse.example/parse", .appId: "app", .sessionKeyFile: keyFile,
        ]
        return try load(replica.merging(arguments) { $1 }.mapValues { [$0] }).people
    }

    @Test func replicaOfAParseServerServesUsersByDefaultUnlessItHasTheMasterKey() throws {
        #expect(try people([:]).mode == .personal)
        #expect(try people([:]).sessionKeyFile == keyFile)
        #expect(try people([.masterKey: "secret"]).mode == .off)
        #expect(try people([.people: "off"]).mode == .off)
        #expect(try load().people.mode == .off)
        // The key file is created at the first session, and not when the settings are read.
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/keys"))
    }

    @Test func replicaOfAnotherKindOfRemoteServesNoUsers() throws {
        let tables = try load([.remote: ["https://tables.example"], .remoteKind: ["datasync"]])
        #expect(tables.people.mode == .off)
        #expect(tables.people.offBecause == nil)
    }

    /// A file in the place of the key's directory prevents storing the session key.
    @Test func usersAreOffByDefaultIfTheSessionKeyCannotBeStored() throws {
        try Data("no key".utf8).write(to: URL(filePath: directory.path + "/keys"))
        let settings = try people([.sessionKeyFile: directory.path + "/keys"])
        #expect(settings.mode == .off)
        let reason = try #require(settings.offBecause)
        #expect(reason.contains(directory.path + "/keys") && reason.contains("--session-key-file"))
    }

    @Test func eachSettingForUsersReachesTheGateway() throws {
        let settings = try people([
            .afterLogOut: "keep", .forgetAfter: "86400", .offlineLogIn: "on", .usersMax: "3", .offlineSessionMax: "60",
        ])
        #expect(settings.afterLogOut == .keep)
        #expect(settings.forgetAfter == .seconds(86_400))
        #expect(settings.offlineLogIn)
        #expect(settings.usersMax == 3 && settings.offlineSessionMax == .seconds(60))
        let standard = try people([.forgetAfter: "0"])
        #expect(standard.afterLogOut == .push && standard.forgetAfter == nil && !standard.offlineLogIn)
    }

    @Test func settingOfflineLogInNeedsAReplicaWithUsers() {
        let error = #expect(throws: ConfigurationError.self) { try people([.offlineLogIn: "on", .people: "off"]) }
        #expect(error?.description.contains("needs --people personal or site") == true)
    }

    @Test func settingSendAsMasterNeedsASiteReplica() throws {
        for mode in [[:], [.people: "off"], [.people: "personal"]] as [[Setting: String]] {
            let error = #expect(throws: ConfigurationError.self) {
                try people(mode.merging([.sendAsMaster: "on"]) { $1 })
            }
            #expect(error?.description.contains("needs --people site") == true)
        }
        #expect(try people([.sendAsMaster: "off"]).mode == .personal)
        #expect(try people([.sendAsMaster: "on", .people: "site", .masterKey: "secret"]).sendsAsMaster)
    }
}

/// Tests the place of the session key if `--session-key-file` is not set.
struct SessionKeyPlaceTests {
    private func place(_ environment: [String: String]) -> String? {
        StandardDirectories(environment: environment, current: "/", executable: nil).sessionKeyFile()
    }

    @Test func aSystemdCredentialTakesPrecedenceOverTheKeyFile() throws {
        let directory = try TemporaryDirectory(files: ["tidegate-session-key"])
        let none = try TemporaryDirectory()
        let home = ["HOME": "/home/ada", "XDG_CONFIG_HOME": "/home/ada/settings"]
        let credential = ["CREDENTIALS_DIRECTORY": directory.path]
        #expect(place(home.merging(credential) { $1 }) == directory.path + "/tidegate-session-key")
        let other = ["CREDENTIALS_DIRECTORY": none.path]
        #expect(place(home.merging(other) { $1 }) == "/home/ada/settings/tidegate/session-key")
        #expect(place(["HOME": "relative"]) == nil)
    }

    /// systemd provides credentials in a directory without write permission.
    @Test func aSystemdCredentialIsReadAndNotChanged() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/tidegate-session-key"
        try Data((String(repeating: "0a", count: 32) + "\n").utf8).write(to: URL(filePath: path))
        #expect(chmod(path, 0o400) == 0)
        try SpaceKey.check(path)
        let key = SpaceKey(file: path, replicaId: "replica")
        let sealed = try key.sealed("r:1", of: "ada")
        let session = KnownSession(
            digest: SessionDigest(of: "r:1"), userId: "ada", expiresAt: nil, confirmedAt: ParseDate(milliseconds: 0),
            changedAt: ParseDate(milliseconds: 0), sealed: sealed)
        #expect(SpaceKey(file: path, replicaId: "replica").token(of: session) == "r:1")
        #expect(SpaceKey(file: path, replicaId: "other").token(of: session) == nil)
        #expect(SpaceKey(file: directory.path + "/none", replicaId: "replica").token(of: session) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["tidegate-session-key"])
    }
}
