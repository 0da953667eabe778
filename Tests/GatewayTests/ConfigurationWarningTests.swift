import Foundation
import Testing

@testable import Gateway

/// Tests the warnings about settings that are valid but not recommended.
struct ConfigurationWarningTests {
    @Test(arguments: [
        ("http://example.org/parse", true), ("http://192.168.1.5:1337/parse", true), ("http://parse.lan", true),
        ("https://example.org/parse", false), ("http://localhost:1337/parse", false),
        ("http://127.0.0.1:1337", false), ("http://[::1]:1337/parse", false), ("http://127.0.0.1.example.org", true),
    ])
    func keysThatAreSentOverPlainHTTPCauseAWarning(_ url: String, _ isWarned: Bool) throws {
        for key in [Setting.restKey, .masterKey, .remoteToken] {
            let configuration = try load([.remote: [url], .appId: ["app"], key: ["12345678"]])
            #expect(configuration.warnings.contains { $0.contains("plain http") } == isWarned)
            #expect(!configuration.warnings.contains { $0.contains("12345678") })
        }
        #expect(try load([.remote: [url], .appId: ["app"]]).warnings.isEmpty)
    }

    @Test(arguments: [(0o644, true), (0o640, true), (0o604, true), (0o600, false), (0o400, false)])
    func keysInASettingsFileThatOthersCanReadCauseAWarning(_ mode: Int, _ isWarned: Bool) throws {
        let file = try SettingsFile("access-key: secret-key\n")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let warnings = try load(file: file.path).warnings
        #expect(warnings.contains { $0.contains("chmod 600 \(file.path)") } == isWarned)
        #expect(!warnings.contains { $0.contains("secret-key") })
        #expect(try load([:], ["TIDEGATE_CONFIG": file.path]).warnings.isEmpty != isWarned)
    }

    @Test func settingsFileThatOnlyItsOwnerReadsCausesNoWarningThroughASymbolicLink() throws {
        let file = try SettingsFile("access-key: secret-key\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try FileManager.default.createSymbolicLink(atPath: file.path + ".link", withDestinationPath: file.path)
        defer { try? FileManager.default.removeItem(atPath: file.path + ".link") }
        #expect(try load(file: file.path + ".link").warnings.isEmpty)
    }

    /// The package has such a file: it belongs to root, in a directory that only the gateway's group can enter.
    @Test(arguments: [(0o640, 0o755, false), (0o644, 0o750, false), (0o644, 0o755, true)])
    func keysInASettingsFileOfAnotherOwnerCauseAWarningIfEverybodyCanReadThem(
        _ mode: Int, _ directoryMode: Int, _ isWarned: Bool
    ) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/tidegate.yaml"
        try Data("access-key: secret-key\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try FileManager.default.setAttributes([.posixPermissions: directoryMode], ofItemAtPath: directory.path)
        let exposed = ExposedFile(path, user: Int(geteuid()) + 1)
        #expect(exposed.map(\.advice) == (isWarned ? "let only its owner and the user of the gateway read it" : nil))
    }

    @Test func readableSettingsFileWithoutKeysCausesNoWarning() throws {
        let file = try SettingsFile("page-max: 100\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect(try load(file: file.path).warnings.isEmpty)
    }

    @Test func minimumFreeDiskSpaceAndFileHostsCanBeSet() throws {
        let configuration = try load([
            .diskFreeMin: ["0"], .fileHosts: ["Files.lan", "10.0.0.5:9000"],
        ])
        #expect(configuration.diskFreeMin == 0)
        #expect(configuration.fileHosts == ["files.lan", "10.0.0.5:9000"])
        #expect(throws: ConfigurationError.self) { try load([.fileHosts: ["http://files.lan"]]) }
    }
}
