import Foundation

/// The default directories of the data, of the web page and of `openapi.yaml`.
package struct StandardDirectories: Sendable {
    private let environment: [String: String]
    private let current: String
    private let executable: String?

    /// - Parameters:
    ///   - current: the absolute path of the working directory.
    ///   - executable: the absolute path of the running program, with links resolved.
    package init(environment: [String: String], current: String, executable: String?) {
        self.environment = environment
        self.current = current
        self.executable = executable
    }

    /// The default directories, derived from the working directory and the program of this process.
    package static func live(environment: [String: String]) -> StandardDirectories {
        StandardDirectories(
            environment: environment, current: FileManager.default.currentDirectoryPath, executable: program)
    }

    /// The absolute path of the program of this process, with links resolved; nil if it is unknown.
    package static var program: String? { Bundle.main.executableURL?.resolvingSymlinksInPath().path }

    /// The user's data directory for a program; nil if `environment` names neither a data directory nor a home directory.
    package func data(named name: String) -> String? {
        // The XDG specification requires absolute paths; a relative one is ignored.
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return "\(base)/\(name)" }
        guard let home else { return nil }
        #if os(macOS)
            return "\(home)/Library/Application Support/\(name)"
        #else
            return "\(home)/.local/share/\(name)"
        #endif
    }

    /// The file with the key that encrypts session tokens. It is not in the data directory, so that no backup of that directory
    /// contains both. The credential `tidegate-session-key` of systemd takes precedence. Nil without a home directory.
    func sessionKeyFile() -> String? {
        if let credentials {
            let path = credentials + "/tidegate-session-key"
            if FileManager.default.isReadableFile(atPath: path) { return path }
        }
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return "\(base)/tidegate/session-key" }
        guard let home else { return nil }
        #if os(macOS)
            return "\(home)/Library/Preferences/tidegate/session-key"
        #else
            return "\(home)/.config/tidegate/session-key"
        #endif
    }

    /// Whether a file is a credential of systemd. Other users cannot reach it, even if its mode lets them read it.
    func isCredential(_ path: String) -> Bool { credentials.map { path.hasPrefix($0 + "/") } ?? false }

    private var credentials: String? { environment["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The directory of the web page: the page that `scripts/build` has bundled beside the program, or the directory `web`. Nil if
    /// neither is found.
    package func web() -> String? { bundledPage() ?? shared().map { "\($0)/web" } }

    private func bundledPage() -> String? {
        guard let executable else { return nil }
        let page = (executable as NSString).deletingLastPathComponent + "/page"
        return FileManager.default.isReadableFile(atPath: page + "/index.html") ? page : nil
    }

    /// The path of the program that makes thumbnails, beside the running program; nil if it is not there.
    package func thumbnailProgram() -> String? {
        guard let executable else { return nil }
        let path = (executable as NSString).deletingLastPathComponent + "/tidegate-thumbnail"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// The path of `openapi.yaml`; nil if it is not found.
    package func openAPIFile() -> String? { shared().map { "\($0)/openapi.yaml" } }

    /// The first of these directories that contains `web` and `openapi.yaml`: the source directory of the running build, the
    /// share directory of the installation, the working directory. Nil if no directory contains both.
    private func shared() -> String? {
        var candidates: [String] = []
        var directory = executable.map { ($0 as NSString).deletingLastPathComponent }
        let installed = directory.map { ($0 as NSString).deletingLastPathComponent + "/share/tidegate" }
        // The build puts the program at `.build/release/tidegate`, or one level deeper. One of the parent directories is then the
        // source directory.
        for _ in 0..<4 {
            directory = directory.map { ($0 as NSString).deletingLastPathComponent }
            if let directory { candidates.append(directory) }
        }
        // The installation precedes the working directory, because other programs can write to the working directory.
        if let installed { candidates.append(installed) }
        candidates.append(current)
        // A directory `web` is Tidegate's page only with an `openapi.yaml` beside it.
        return candidates.first { base in
            ["web/index.html", "openapi.yaml"].allSatisfy {
                FileManager.default.isReadableFile(atPath: "\(base)/\($0)")
            }
        }
    }

    /// Makes a path absolute: `~/` stands for the home directory, and a relative path starts at the working directory.
    package func absolute(_ path: String) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst(1) }
        return path.hasPrefix("/") ? path : (current as NSString).appendingPathComponent(path)
    }

    private var home: String? { environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
