import Foundation
import Testing

@testable import Gateway

/// The default and the conditions of the setting `people`.
struct PeopleSettingsTests {
    private let directory: TemporaryDirectory
    private var keyFile: String { directory.path + "/keys/session-key" }

    init() throws { directory = try TemporaryDirectory() }

    private func people(_ arguments: [ConfigurationKey: String]) throws -> PeopleSettings {
        let replica: [ConfigurationKey: String] = [
            .remote: "https://parse.example/parse", .appId: "app", .sessionKeyFile: keyFile,
        ]
        return try load(replica.merging(arguments) { $1 }.mapValues { [$0] }).people
    }

    @Test func aReplicaOfAParseServerIsPersonalUnlessItHasTheMasterKey() throws {
        #expect(try people([:]).mode == .personal)
        #expect(try people([:]).sessionKeyFile == keyFile)
        #expect(try people([.masterKey: "secret"]).mode == .off)
        #expect(try people([.people: "off"]).mode == .off)
        #expect(try load().people.mode == .off)
        // The key is made for the first session, not by the reading of settings.
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/keys"))
    }

    @Test func anotherKindOfRemoteHasNoUsers() throws {
        let tables = try load([.remote: ["https://tables.example"], .remoteKind: ["datasync"]])
        #expect(tables.people.mode == .off)
        #expect(tables.people.offBecause == nil)
    }

    /// A file in the place of a directory.
    @Test func withoutAPlaceForTheKeyTheDefaultIsOffAndSaysWhatToDo() throws {
        try Data("no key".utf8).write(to: URL(filePath: directory.path + "/keys"))
        let settings = try people([.sessionKeyFile: directory.path + "/keys"])
        #expect(settings.mode == .off)
        let reason = try #require(settings.offBecause)
        #expect(reason.contains(directory.path + "/keys") && reason.contains("--session-key-file"))
    }

    @Test func eachSettingHasItsEffect() throws {
        let settings = try people([
            .afterLogOut: "keep", .forgetAfter: "86400", .offlineLogIn: "on", .usersMax: "3", .userIdleMax: "5",
            .offlineSessionMax: "60",
        ])
        #expect(settings.afterLogOut == .keep)
        #expect(settings.forgetAfter == .seconds(86_400))
        #expect(settings.offlineLogIn)
        #expect(settings.usersMax == 3 && settings.idleMax == .seconds(5) && settings.offlineSessionMax == .seconds(60))
        let standard = try people([.forgetAfter: "0"])
        #expect(standard.afterLogOut == .push && standard.forgetAfter == nil && !standard.offlineLogIn)
    }

    @Test func offlineLogInNeedsUsers() {
        let error = #expect(throws: ConfigurationError.self) { try people([.offlineLogIn: "on", .people: "off"]) }
        #expect(error?.description.contains("--people personal") == true)
    }
}
