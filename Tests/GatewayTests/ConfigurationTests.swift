import Foundation
import GatewayAPI
import HTTPServer
import Logging
import ParseModel
import Testing

@testable import Gateway

/// Tests the precedence of options, environment and file, and the effect of each setting.
struct ConfigurationTests {
    @Test func defaultConfigurationNeedsOnlyAHomeDirectory() throws {
        let configuration = try load()
        #expect(configuration.listen == ListenAddress(host: "127.0.0.1", port: 1338))
        #expect(configuration.remote == nil)
        #expect(configuration.classes.isEmpty)
        #expect(configuration.webDirectory == nil)
        #expect(configuration.pullInterval == .seconds(60))
        #expect(configuration.synchronous == .full)
        #expect(configuration.takesOver == false)
        #if os(macOS)
            #expect(configuration.dataDirectory == "/home/ada/Library/Application Support/tidegate")
        #else
            #expect(configuration.dataDirectory == "/home/ada/.local/share/tidegate")
        #endif
    }

    @Test func theCommandLineOverridesTheEnvironmentWhichOverridesTheFile() throws {
        let file = try SettingsFile("pull-interval: 5\npage-max: 50\nusers-max: 30\n")
        let environment = ["TIDEGATE_PULL_INTERVAL": "4", "TIDEGATE_PAGE_MAX": "40"]
        let configuration = try load([.pullInterval: ["3"]], environment, file: file.path)
        #expect(configuration.pullInterval == .seconds(3))
        #expect(configuration.pageMax == 40)
        #expect(configuration.people.usersMax == 30)
        #expect(configuration.fileBytesMax == 20 * 1024 * 1024)
    }

    @Test func settingsInUseHaveTheirSourcesAndHideSecrets() throws {
        let file = try SettingsFile("page-max: 50\n")
        let configuration = try load(
            [.remote: ["https://a.example"], .appId: ["app"], .className: ["A", "B"]], ["TIDEGATE_REST_KEY": "hidden"],
            file: file.path)
        func used(_ setting: Setting) throws -> SettingInUse {
            try #require(configuration.settings.first { $0.json["name"] == .string(setting.name) })
        }
        #expect(configuration.settings.count == Setting.all.count)
        #expect(try used(.className).json["value"] == "A, B")
        #expect(try used(.pageMax).json["source"]?.string?.hasSuffix("tidegate.yaml: page-max") == true)
        #expect(try used(.restKey).json["value"] == .null && used(.restKey).json["secret"] == true)
        #expect(try used(.pullInterval).json["value"] == "60" && used(.pullInterval).json["source"] == "default")
        #expect(!configuration.settings.contains { "\($0.json)".contains("hidden") })
    }

    @Test func descriptionOfTheAPIIsConvertedToJSON() throws {
        let json = String(
            decoding: try OpenAPIDescription.json(of: Array("b: 2026-11-29\na: [1, true, 0.5, null, \"1\"]\n".utf8)),
            as: UTF8.self)
        #expect(json == #"{"b":"2026-11-29","a":[1,true,0.5,null,"1"]}"#)
    }

    @Test func listSettingOfHigherPrecedenceReplacesTheLowerOne() throws {
        let file = try SettingsFile("class: [FromFile]\n")
        #expect(try load(file: file.path).classes == ["FromFile"])
        #expect(try load([:], ["TIDEGATE_CLASS": "A, B"], file: file.path).classes == ["A", "B"])
        let both = try load([.className: ["C", "D", "C"]], ["TIDEGATE_CLASS": "A"], file: file.path)
        #expect(both.classes == ["C", "D"])
    }

    @Test func emptyEnvironmentVariableCountsAsAbsent() throws {
        let file = try SettingsFile("log-level: debug\n")
        #expect(try load([:], ["TIDEGATE_LOG_LEVEL": ""], file: file.path).logLevel == .debug)
    }

    @Test func environmentVariableMayNameTheSettingsFile() throws {
        let file = try SettingsFile("pull-interval: 2.5\n")
        #expect(try load([:], ["TIDEGATE_CONFIG": file.path]).pullInterval == .milliseconds(2500))
    }

    @Test func settingsFileWithOnlyCommentsHasNoSettings() throws {
        let file = try SettingsFile("# listen: 127.0.0.1:1\n\n   # web: none\n")
        #expect(try load(file: file.path).listen == .standard)
    }

    @Test func everySettingHasAnEnvironmentVariable() throws {
        let configuration = try load([:], everySetting.mapKeys(\.variable))
        expectEverySetting(configuration)
        #expect(configuration.unknownVariables.isEmpty)
    }

    @Test func everySettingHasAYAMLKey() throws {
        let lines = everySetting.map { "\($0.key.name): '\($0.value)'" }
        let file = try SettingsFile(lines.joined(separator: "\n"))
        expectEverySetting(try load(file: file.path))
    }

    @Test func everySettingHasACommandLineOptionName() throws {
        expectEverySetting(try load(everySetting.mapValues { [$0] }))
    }

    @Test func optionVariableAndYAMLKeyFollowFromTheNameOfASetting() {
        #expect(Setting.accountLockoutThreshold.option == "--account-lockout-threshold")
        #expect(Setting.accountLockoutThreshold.variable == "TIDEGATE_ACCOUNT_LOCKOUT_THRESHOLD")
        #expect(Setting.accountLockoutThreshold.name == "account-lockout-threshold")
    }

    @Test func unknownEnvironmentVariablesAreIgnoredWithAWarning() throws {
        let environment = ["TIDEGATE_PORT": "tcp://10.0.0.1:80", "TIDEGATE_URL": "http://127.0.0.1:1", "OTHER": "1"]
        #expect(try load([:], environment).unknownVariables == ["TIDEGATE_PORT"])
    }

    @Test func theURLOfARemoteIsNormalized() throws {
        let arguments: [Setting: [String]] = [
            .remote: ["HTTPS://Parse.Example:8443/Parse//"], .appId: ["app"],
        ]
        #expect(try load(arguments).remote?.url == "https://parse.example:8443/Parse")
        let bracketed: [Setting: [String]] = [.remote: ["http://[::1]:1337/"], .appId: ["app"]]
        #expect(try load(bracketed).remote?.url == "http://[::1]:1337")
    }

    @Test func theAddressForReportsOfTheRemoteIsTheRemoteUnlessItIsSet() throws {
        let remote: [Setting: [String]] = [.remote: ["https://parse.example/parse"], .appId: ["app"]]
        for (text, url) in [
            (nil, "https://parse.example/parse"), ("ws://127.0.0.1:1337", "http://127.0.0.1:1337"), ("Off", nil),
        ] {
            let set = text.map { [Setting.remoteLiveQueryURL: [$0]] } ?? [:]
            #expect(try load(remote.merging(set) { $1 }).remote?.liveQueryURL == url)
        }
    }

    @Test func aPrintedConfigurationContainsNoKeys() throws {
        let configuration = try load(everySetting.mapValues { [$0] })
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            for key in ["rest-secret", "master-secret", "access-secret"] { #expect(!text.contains(key)) }
        }
        #expect(configuration.remote?.masterKey?.value == "master-secret")
    }

    @Test func tokenForATableServerIsReadFromTheSettings() throws {
        let remote: [Setting: [String]] = [.remote: ["https://tables.example"], .remoteKind: ["datasync"]]
        let sources: [(Setting, RemoteToken)] = [
            (.remoteToken, .fixed(Secret("a-token"))), (.remoteTokenFile, .file("a-token")),
            (.remoteTokenCommand, .command("a-token")),
        ]
        for (key, token) in sources {
            let loaded = try load(remote.merging([key: ["a-token"]]) { $1 }).remote
            #expect(loaded?.kind == .datasync)
            #expect(loaded?.token == token)
        }
        #expect(try load(remote).remote?.token == nil)
    }

    @Test func listenAddressOtherThanLoopbackNeedsAnAccessKey() throws {
        for text in ["127.0.0.1:0", "127.9.9.9:80", "[::1]:1338", "localhost:1338"] {
            #expect(try load([.listen: [text]]).listen.isLoopback)
        }
        for text in ["0.0.0.0:80", "[::]:80", "192.168.0.7:1338"] {
            #expect(throws: ConfigurationError.self) { try load([.listen: [text]]) }
            #expect(try load([.listen: [text], .accessKey: ["k"]]).listen.isLoopback == false)
        }
        #expect(ListenAddress(host: "::1", port: 7).description == "[::1]:7")
    }

    private func expectEverySetting(_ configuration: GatewayConfiguration) {
        var expected = GatewayConfiguration(dataDirectory: "/home/ada/here/data")
        expected.listen = ListenAddress(host: "0.0.0.0", port: 8080)
        expected.remote = GatewayConfiguration.Remote(
            url: "https://parse.example/parse", applicationId: "app", restKey: Secret("rest-secret"),
            masterKey: Secret("master-secret"))
        expected.remote?.liveQuery = .other("https://live.example:8443")
        expected.classes = ["Holiday", "Birthday"]
        expected.pullInterval = .seconds(15)
        expected.stallAlarm = .seconds(120)
        expected.readyWhen = .synced
        expected.liveResume = .seconds(60)
        expected.logLevel = .trace
        expected.accessKey = Secret("access-secret")
        expected.localKeys.applicationId = "local-app"
        expected.localKeys.clientKeys = [
            .rest: Secret("local-rest-secret"), .javaScript: Secret("local-js-secret"),
            .client: Secret("local-client-secret"), .dotNET: Secret("local-net-secret"),
        ]
        expected.localKeys.masterKey = Secret("local-master-secret")
        expected.localKeys.readOnlyMasterKey = Secret("local-read-only-secret")
        expected.localKeys.maintenanceKey = Secret("local-maintenance-secret")
        expected.localKeys.masterKeyNetworks = ["10.0.0.0/8", "fd00::1"].compactMap { IPNetwork($0) }
        expected.allowedHosts = ["box.lan"]
        expected.allowedOrigins = ["https://app.example"]
        expected.pageMax = 10
        expected.idempotencyTTL = .seconds(300)
        expected.allowsChosenIds = true
        expected.takesOver = true
        #expect(configuration.withoutSources == expected)
    }
}

/// For each setting, a value that differs from the default.
private let everySetting: [Setting: String] = [
    .listen: "0.0.0.0:8080", .data: "/home/ada/here/data", .remote: "https://parse.example/parse/", .appId: "app",
    .remoteLiveQueryURL: "WSS://Live.Example:8443/", .restKey: "rest-secret", .masterKey: "master-secret",
    .className: "Holiday, Birthday", .web: "none",
    .pullInterval: "15", .stallAlarm: "120", .readyWhen: "synced", .liveResume: "60", .logLevel: "TRACE",
    .accessKey: "access-secret",
    .localAppId: "local-app", .localRestKey: "local-rest-secret", .localJavaScriptKey: "local-js-secret",
    .localClientKey: "local-client-secret", .localDotNETKey: "local-net-secret", .localMasterKey: "local-master-secret",
    .localReadOnlyMasterKey: "local-read-only-secret", .localMaintenanceKey: "local-maintenance-secret",
    .localMasterKeyIPs: "10.0.0.0/8, fd00::1", .allowedHost: "Box.lan",
    .allowedOrigin: "https://app.example", .pageMax: "10",
    .idempotencyTTL: "300", .allowCustomObjectId: "on", .takeOver: "yes",
]

extension Dictionary {
    fileprivate func mapKeys<Other>(_ transform: (Key) -> Other) -> [Other: Value] {
        [Other: Value](uniqueKeysWithValues: map { (transform($0.key), $0.value) })
    }
}
