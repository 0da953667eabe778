import Testing

@testable import Gateway

/// Checks that an invalid setting is refused by one line, which names the setting as its source writes it: as an
/// option, a variable or a YAML key.
struct ConfigurationErrorTests {
    @Test(arguments: [Setting.localRestKey, .localJavaScriptKey, .localClientKey, .localDotNETKey])
    func aLocalMasterKeyEqualToAClientKeyIsRefused(_ key: Setting) {
        let arguments: [Setting: [String]] = [key: ["same-key"], .localMasterKey: ["same-key"]]
        let error = #expect(throws: ConfigurationError.self) { try load(arguments) }
        #expect(error?.description.hasPrefix("--local-master-key: ") == true)
        #expect(error?.description.contains("same-key") == false)
    }

    @Test(arguments: [
        (Setting.localMasterKey, Setting.localReadOnlyMasterKey),
        (.localMasterKey, .localMaintenanceKey), (.localReadOnlyMasterKey, .localMaintenanceKey),
        (.localRestKey, .localReadOnlyMasterKey), (.localClientKey, .localMaintenanceKey),
    ])
    func equalMasterKeysAreRefused(_ one: Setting, _ other: Setting) {
        let error = #expect(throws: ConfigurationError.self) { try load([one: ["same-key"], other: ["same-key"]]) }
        #expect(error?.description.hasPrefix("\(other.option): ") == true)
        #expect(error?.description.contains("same-key") == false)
    }

    @Test func twoSourcesOfTheRemoteTokenAreRefused() {
        let arguments: [Setting: [String]] = [
            .remote: ["https://tables.example"], .remoteKind: ["datasync"], .remoteToken: ["secret-token"],
            .remoteTokenFile: ["/run/token"],
        ]
        let error = #expect(throws: ConfigurationError.self) { try load(arguments) }
        #expect(error?.description.hasPrefix("--remote-token-file: ") == true)
        #expect(error?.description.contains("secret-token") == false)
    }

    @Test(arguments: [
        (Setting.listen, "1338"), (.listen, "example.org:80"), (.listen, "127.0.0.1:70000"),
        (.listen, "[::1:80"),
        (.listen, "0.0.0.0:80"), (.web, "/nowhere/at/all"), (.pullInterval, "soon"), (.pullInterval, "0"),
        (.pullInterval, "nan"), (.pullInterval, "-5"), (.logLevel, "loud"), (.readyWhen, "soon"), (.stallAlarm, "-1"),
        (.pageMax, "0"), (.fileBytesMax, "1"), (.fileBytesMax, "20MB"), (.usersMax, "1.5"),
        (.takeOver, "maybe"), (.className, "9lives"), (.className, "_Product"), (.className, "Holiday;drop"),
        (.className, "bad name"),
        (.idempotencyTTL, "-1"),
        (.diskFreeMin, "-1"), (.fileHosts, "http://box"),
        (.allowedHost, "a b"),
        (.allowedHost, "http://box"),
        (.allowedOrigin, "box.lan"), (.allowedOrigin, "https://box.lan/path"), (.accessKey, "two words"),
        (.localMasterKeyIPs, "box.lan"), (.localMasterKeyIPs, "10.0.0.0/33"), (.localMasterKeyIPs, "10.0.0.1/"),
        (.remote, "parse.example"), (.remote, "ftp://parse.example"), (.remote, "http://"),
        (.remote, "https://parse.example/?a=1"), (.appId, "app"), (.masterKey, "k"),
        (.remoteKind, "parse"), (.remoteToken, "t"),
        (.remoteLiveQueryURL, "off"),
    ])
    func anInvalidValueIsNamedInTheFormOfItsSource(key: Setting, text: String) throws {
        let file = try SettingsFile("\(key.name): '\(text)'\n")
        for (error, origin) in [
            (refusal { try load([key: [text]]) }, key.option),
            (refusal { try load([:], [key.variable: text]) }, key.variable),
            (refusal { try load(file: file.path) }, "\(file.path): \(key.name)"),
        ] {
            #expect(error.hasPrefix(origin + ": "), "\(error)")
            #expect(!error.contains("\n"))
        }
    }

    @Test(arguments: ["https://live.example", "on", "ws://", "ws://live.example/?a=1", "wss://ada:sesame@live.example"])
    func aWrongAddressForReportsIsRefused(text: String) {
        let remote: [Setting: [String]] = [.remote: ["https://parse.example"], .appId: ["app"]]
        let error = refusal { try load(remote.merging([.remoteLiveQueryURL: [text]]) { $1 }) }
        #expect(error.hasPrefix("--remote-livequery-url: ") && !error.contains("sesame"))
    }

    @Test func errorsDoNotQuoteKeysAndPasswords() {
        let remote: [Setting: [String]] = [.remote: ["https://ada:sesame@parse.example/"], .appId: ["app"]]
        #expect(refusal { try load(remote) } == "--remote: must not hold a user name or a password")
        #expect(!refusal { try load([.accessKey: ["open sesame"]]) }.contains("sesame"))
    }

    @Test func aParseRemoteNeedsAnApplicationIdAndTheIdNeedsARemote() {
        #expect(
            refusal { try load([.remote: ["https://parse.example"], .remoteKind: ["parse"]]) }
                == "--remote: needs the application id of the remote: add --app-id ID")
        #expect(
            refusal { try load([:], ["TIDEGATE_REST_KEY": "k"]) }
                == "TIDEGATE_REST_KEY: is given without a remote: add --remote URL")
    }

    @Test func syncedClassesWithoutARemoteAreRefused() throws {
        let notes = try load([.className: ["Holiday", "Boat"]]).notes
        #expect(
            notes == [
                "--class Holiday, Boat is given without a remote: this gateway is standalone, and nothing is synced. Add --remote URL to follow a server."
            ])
        #expect(try load([:]).notes.isEmpty)
        let remote: [Setting: [String]] = [.remote: ["https://parse.example"], .appId: ["a"]]
        #expect(try load(remote.merging([.className: ["Holiday"]]) { $1 }).notes.isEmpty)
    }

    @Test func unknownSettingIsRefusedWithTheNearestOne() throws {
        let misspelt = try SettingsFile("pullInterval: 5\n")
        #expect(
            refusal { try load(file: misspelt.path) }
                == "\(misspelt.path): unknown setting 'pullInterval'; did you mean 'pull-interval'?")
        let foreign = try SettingsFile("colour: blue\n")
        #expect(refusal { try load(file: foreign.path) } == "\(foreign.path): unknown setting 'colour'")
        let nested = try SettingsFile("remote:\n  url: https://parse.example\n")
        #expect(refusal { try load(file: nested.path) } == "\(nested.path): unknown setting 'remote.url'")
    }

    @Test func listForASingleValueSettingIsRefused() throws {
        let file = try SettingsFile("page-max: [1, 2]\n")
        #expect(refusal { try load(file: file.path) } == "\(file.path): page-max: must be a single value, not a list")
    }

    @Test(arguments: ["- a\n", "class: [A\nrest-key: sesame\n", "class: A\nclass: B\n", "just words\n"])
    func invalidYAMLIsReportedOnOneLineWithoutItsContent(text: String) throws {
        let file = try SettingsFile(text)
        let error = refusal { try load(file: file.path) }
        #expect(error.hasPrefix("\(file.path): the configuration file is not usable YAML: "))
        #expect(!error.contains("\n"))
        #expect(!error.contains("sesame"))
    }

    @Test func missingSettingsFileIsNamedInTheError() {
        #expect(
            refusal { try load(file: "/nowhere/tidegate.yaml") }
                == "/nowhere/tidegate.yaml: the configuration file cannot be read: no such file")
    }

    @Test func theDataDirectoryMustBeSetWithoutAHomeDirectory() {
        let directories = StandardDirectories(environment: [:], current: "/home/ada/here", executable: nil)
        let error = refusal { try GatewayConfiguration.load(environment: [:], directories: directories) }
        #expect(error == "--data: there is no home directory to put the data into: name a directory")
    }

    private func refusal(_ load: () throws -> GatewayConfiguration) -> String {
        do {
            let configuration = try load()
            return "accepted: \(configuration)"
        } catch {
            return "\(error)"
        }
    }
}
