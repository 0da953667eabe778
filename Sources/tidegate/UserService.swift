import Foundation
import Gateway

/// The service that runs a user's gateway without root: a user unit of systemd, or on macOS an agent of launchd.
struct UserService {
    /// The program of the system that starts services.
    enum Manager: String, CaseIterable {
        case systemd, launchd

        static var ofThisSystem: Manager {
            #if os(macOS)
                .launchd
            #else
                .systemd
            #endif
        }
    }

    static let name = "tidegate"

    let manager: Manager
    /// The words of the command that the service runs; the first is the absolute path of the program.
    let command: [String]
    /// The words of the command that succeeds if the settings of the service are valid.
    let checkCommand: [String]
    /// The absolute path of the user's home directory.
    let home: String
    /// The value of `XDG_CONFIG_HOME`, if it is an absolute path.
    let configHome: String?
    /// The user's number.
    let user: UInt32

    /// - Parameters:
    ///   - program: the absolute path of the program.
    ///   - settings: the absolute path of the YAML file of settings; nil for none.
    /// - Throws: `ConfigurationError` without a home directory.
    init(
        _ manager: Manager = .ofThisSystem, program: String, settings: String? = nil, user: UInt32 = getuid(),
        environment: [String: String]
    ) throws(ConfigurationError) {
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw ConfigurationError("the home directory is unknown: set HOME")
        }
        self.manager = manager
        self.home = home
        self.user = user
        configHome = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let given = settings.map { ["--config", $0] } ?? []
        command = [program, "serve"] + given
        checkCommand = [program, "doctor", "--settings-only"] + given
    }

    /// The absolute path of the file that describes the service.
    var path: String {
        switch manager {
        case .systemd: "\(configHome ?? home + "/.config")/systemd/user/\(Self.name).service"
        case .launchd: "\(home)/Library/LaunchAgents/\(Self.name).plist"
        }
    }

    /// The content of the file.
    var text: String {
        switch manager {
        case .systemd: unit
        case .launchd: agent
        }
    }

    /// The command that succeeds if services of this user can be managed.
    var probe: [String] {
        switch manager {
        case .systemd: ["systemctl", "--user", "show", "--property=Version"]
        case .launchd: ["launchctl", "print", domain]
        }
    }

    /// The commands that start the service, now and at each log-in. A service that runs already is restarted.
    var start: [[String]] {
        switch manager {
        case .systemd:
            [
                ["systemctl", "--user", "daemon-reload"], ["systemctl", "--user", "enable", "--quiet", Self.name],
                ["systemctl", "--user", "restart", Self.name],
            ]
        case .launchd: [["launchctl", "bootstrap", domain, path]]
        }
    }

    /// The command that stops the service for good, before its file is removed.
    var stop: [String] {
        switch manager {
        case .systemd: ["systemctl", "--user", "disable", "--quiet", "--now", Self.name]
        case .launchd: ["launchctl", "bootout", "\(domain)/\(Self.name)"]
        }
    }

    /// The command that makes the manager forget the removed file; nil if none is needed.
    var forget: [String]? { manager == .systemd ? ["systemctl", "--user", "daemon-reload"] : nil }

    /// The command that succeeds if the service runs.
    var isRunning: [String] {
        switch manager {
        case .systemd: ["systemctl", "--user", "is-active", "--quiet", Self.name]
        case .launchd: ["launchctl", "print", "\(domain)/\(Self.name)"]
        }
    }

    /// A sentence about the log of the service.
    var logText: String {
        switch manager {
        case .systemd: "The log: journalctl --user --unit \(Self.name)"
        case .launchd: "The log: \(logFile)"
        }
    }

    /// The command that prints the last lines that the service has written to its log.
    var lastLines: [String] {
        switch manager {
        case .systemd:
            ["journalctl", "--user", "--quiet", "--output=cat", "--lines=5", "_SYSTEMD_USER_UNIT=\(Self.name).service"]
        case .launchd: ["tail", "-n", "5", logFile]
        }
    }

    private var domain: String { "gui/\(user)" }
    private var logFile: String { "\(home)/Library/Logs/\(Self.name).log" }

    private var unit: String {
        """
        [Unit]
        Description=Tidegate, a local Parse API that works offline
        Documentation=man:tidegate-serve(1)

        [Service]
        Type=notify
        ExecStart=\(command.map(Self.quoted).joined(separator: " "))
        # A reload with invalid settings fails, and the service runs on with those that it has.
        ExecReload=\(checkCommand.map(Self.quoted).joined(separator: " "))
        ExecReload=/bin/sh -c 'kill -HUP $MAINPID'
        # Variables such as TIDEGATE_REMOTE=https://example.org/parse, one a line. Only you should be able to read the file.
        EnvironmentFile=-%E/tidegate/environment
        # Swift's library for threads would log each thread whose priority a service of a user cannot set.
        Environment=LIBDISPATCH_LOG=NO
        Restart=on-failure
        RestartSec=2
        # A migration of a large file can delay the start.
        TimeoutStartSec=10min
        TimeoutStopSec=15
        WatchdogSec=60
        UMask=0077
        LimitNOFILE=16384
        NoNewPrivileges=yes
        LockPersonality=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        SystemCallArchitectures=native

        [Install]
        WantedBy=default.target

        """
    }

    /// A word of a command line in a unit. systemd replaces variables and specifiers in it.
    private static func quoted(_ word: String) -> String {
        let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+=:".contains($0)) }
        guard !plain else { return word }
        let escaped = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("%", with: "%%").replacing("$", with: "$$")
        return "\"\(escaped)\""
    }

    private var agent: String {
        let list: [String: Any] = [
            "Label": Self.name, "ProgramArguments": command, "RunAtLoad": true,
            "KeepAlive": ["SuccessfulExit": false], "ProcessType": "Background", "StandardErrorPath": logFile,
            "Umask": 0o077, "SoftResourceLimits": ["NumberOfFiles": 16384],
        ]
        // A property list of these types always has an XML form.
        let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
