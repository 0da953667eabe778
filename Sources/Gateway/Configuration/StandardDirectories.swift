import Foundation

/// Where data and the program's own files are, unless the settings name a place.
package struct StandardDirectories: Sendable {
    private let environment: [String: String]
    private let current: String
    private let executable: String?

    /// - Parameters:
    ///   - current: the working directory, absolute.
    ///   - executable: the running program's path, absolute, links resolved.
    package init(environment: [String: String], current: String, executable: String?) {
        self.environment = environment
        self.current = current
        self.executable = executable
    }

    /// Those of this process.
    package static func live(environment: [String: String]) -> StandardDirectories {
        StandardDirectories(
            environment: environment, current: FileManager.default.currentDirectoryPath,
            executable: Bundle.main.executableURL?.resolvingSymlinksInPath().path)
    }

    /// The user's directory for a program's data; nil without a home directory.
    package func data(named name: String) -> String? {
        // The XDG specification says to ignore a relative path.
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return "\(base)/\(name)" }
        guard let home else { return nil }
        #if os(macOS)
            return "\(home)/Library/Application Support/\(name)"
        #else
            return "\(home)/.local/share/\(name)"
        #endif
    }

    /// The page's directory.
    package func web() -> String? { shared().map { "\($0)/web" } }

    /// The description of the API, which is served with any page or none.
    package func openAPIFile() -> String? { shared().map { "\($0)/openapi.yaml" } }

    /// The directory of the files that come with the program: the package in which it was built, the installed program's share
    /// directory, or the package in the working directory.
    private func shared() -> String? {
        var candidates: [String] = []
        var directory = executable.map { ($0 as NSString).deletingLastPathComponent }
        let installed = directory.map { ($0 as NSString).deletingLastPathComponent + "/share/tidegate" }
        // The program is at `.build/release/tidegate`, or one level deeper.
        for _ in 0..<4 {
            directory = directory.map { ($0 as NSString).deletingLastPathComponent }
            if let directory { candidates.append(directory) }
        }
        // The installed page comes before the working directory, which any program may have filled.
        if let installed { candidates.append(installed) }
        candidates.append(current)
        // `openapi.yaml` beside it tells Tidegate's page from any other directory that happens to be called "web".
        return candidates.first { base in
            ["web/index.html", "openapi.yaml"].allSatisfy {
                FileManager.default.isReadableFile(atPath: "\(base)/\($0)")
            }
        }
    }

    /// The absolute path of what a person wrote; `~/` leads home also where no shell has expanded it.
    package func absolute(_ path: String) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst(1) }
        return path.hasPrefix("/") ? path : (current as NSString).appendingPathComponent(path)
    }

    private var home: String? { environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
