import Foundation

/// The default directories of the data and of the program's own files.
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

    /// The directories of this process.
    package static func live(environment: [String: String]) -> StandardDirectories {
        StandardDirectories(
            environment: environment, current: FileManager.default.currentDirectoryPath,
            executable: Bundle.main.executableURL?.resolvingSymlinksInPath().path)
    }

    /// The user's data directory for a program; nil without a home directory.
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

    /// The directory of the web page; nil if it is not found.
    package func web() -> String? { shared().map { "\($0)/web" } }

    /// The path of the API description; nil if it is not found. The description is served also without a web page.
    package func openAPIFile() -> String? { shared().map { "\($0)/openapi.yaml" } }

    /// The directory with `web` and `openapi.yaml`; nil if there is none. It is the source directory of the running build, the
    /// share directory of the installation, or the working directory.
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
        // The installed page precedes the working directory, because other programs can write to the working directory.
        if let installed { candidates.append(installed) }
        candidates.append(current)
        // A directory `web` is Tidegate's page only with an `openapi.yaml` beside it.
        return candidates.first { base in
            ["web/index.html", "openapi.yaml"].allSatisfy {
                FileManager.default.isReadableFile(atPath: "\(base)/\($0)")
            }
        }
    }

    /// Turns a path from the settings into an absolute path. Expands `~/` too, because a shell does so only on the command line.
    package func absolute(_ path: String) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst(1) }
        return path.hasPrefix("/") ? path : (current as NSString).appendingPathComponent(path)
    }

    private var home: String? { environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
