import Foundation
import Testing

@testable import Gateway
@testable import tidegate

struct UserServiceTests {
    private func service(
        _ manager: UserService.Manager, program: String = "/opt/tidegate", settings: String? = nil,
        environment: [String: String] = ["HOME": "/home/ada"]
    ) throws -> UserService {
        try UserService(manager, program: program, settings: settings, user: 501, environment: environment)
    }

    private func line(_ start: String, of unit: String) -> String? { lines(start, of: unit).first }

    private func lines(_ start: String, of unit: String) -> [String] {
        unit.split(separator: "\n").filter { $0.hasPrefix(start) }.map(String.init)
    }

    @Test func theUnitRunsServeWithTheSettings() throws {
        let unit = try service(.systemd, settings: "/home/ada/tidegate.yaml").text
        #expect(line("ExecStart=", of: unit) == "ExecStart=/opt/tidegate serve --config /home/ada/tidegate.yaml")
    }

    @Test func theUnitChecksTheSettingsBeforeAReload() throws {
        let unit = try service(.systemd, settings: "/home/ada/tidegate.yaml").text
        #expect(
            lines("ExecReload=", of: unit) == [
                "ExecReload=/opt/tidegate doctor --settings-only --config /home/ada/tidegate.yaml",
                // By the shell, because a small system has no kill program.
                "ExecReload=/bin/sh -c 'kill -HUP $MAINPID'",
            ])
    }

    @Test func aPathWithSpecialCharactersIsQuotedInTheUnit() throws {
        let unit = try service(.systemd, program: #"/opt/50% $of "a\b/tidegate"#).text
        #expect(line("ExecStart=", of: unit) == #"ExecStart="/opt/50%% $$of \"a\\b/tidegate" serve"#)
    }

    @Test func theUnitIsInTheUsersConfigurationDirectory() throws {
        #expect(try service(.systemd).path == "/home/ada/.config/systemd/user/tidegate.service")
        let environment = ["HOME": "/home/ada", "XDG_CONFIG_HOME": "/home/ada/settings"]
        let elsewhere = try service(.systemd, environment: environment)
        #expect(elsewhere.path == "/home/ada/settings/systemd/user/tidegate.service")
    }

    @Test func theAgentOfLaunchdRunsServeAtLogInAndAfterAFailure() throws {
        let service = try service(.launchd, program: "/Users/ada/A & B/tidegate")
        let list = try PropertyListSerialization.propertyList(from: Data(service.text.utf8), format: nil)
        let agent = try #require(list as? [String: Any])
        #expect(agent["Label"] as? String == "tidegate")
        #expect(agent["ProgramArguments"] as? [String] == ["/Users/ada/A & B/tidegate", "serve"])
        #expect(agent["RunAtLoad"] as? Bool == true)
        #expect((agent["KeepAlive"] as? [String: Any])?["SuccessfulExit"] as? Bool == false)
        #expect(service.path == "/home/ada/Library/LaunchAgents/tidegate.plist")
        #expect(service.start == [["launchctl", "bootstrap", "gui/501", service.path]])
    }

    @Test func aServiceNeedsAHomeDirectory() {
        #expect(throws: ConfigurationError("the home directory is unknown: set HOME")) {
            try service(.systemd, environment: [:])
        }
    }
}
