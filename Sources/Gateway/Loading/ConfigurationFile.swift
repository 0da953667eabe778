import Configuration
import Foundation
import Synchronization

/// The YAML configuration file: a flat mapping from the names of `Setting` to values.
struct ConfigurationFile {
    let path: String
    let snapshot: any ConfigSnapshot

    /// Reads the file.
    /// - Throws: `ConfigurationError` if the file is unreadable, is not valid YAML, or has an unknown key.
    init(path: String) throws(ConfigurationError) {
        self.path = path
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw ConfigurationError("\(path): the configuration file cannot be read: \(Self.reason(error))")
        }
        guard Self.holdsSettings(data) else {
            snapshot = InMemoryProvider(values: [:]).snapshot()
            return
        }
        let names = NamesFound()
        do {
            // Collects the names in the file. The parser has no list of the names, but calls this closure with each name, to ask
            // whether the value is secret.
            let options = YAMLSnapshot.ParsingOptions(
                secretsSpecifier: .dynamic { name, _ in
                    names.add(name)
                    return true
                })
            let bytes = Array(data)
            snapshot = try YAMLSnapshot(data: bytes.span.bytes, providerName: path, parsingOptions: options)
        } catch {
            // Only the first line is reported, because the other lines quote the file, which can contain secret keys.
            let reason = String(describing: error).split(whereSeparator: \.isNewline).first ?? "unreadable"
            throw ConfigurationError("\(path): the configuration file is not usable YAML: \(reason)")
        }
        for name in names.all where !Setting.isKnown(name) {
            let hint = Setting.nearest(to: name).map { "; did you mean '\($0.name)'?" } ?? ""
            throw ConfigurationError("\(path): unknown setting '\(name)'\(hint)")
        }
    }

    /// Whether the file has a line that is neither blank nor a comment. The YAML parser rejects a file of comments alone.
    private static func holdsSettings(_ data: Data) -> Bool {
        String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
            guard let first = line.first(where: { !$0.isWhitespace }) else { return false }
            return first != "#"
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile?: "no such file"
        case .fileReadNoPermission?: "permission denied"
        default: "it is not a readable file"
        }
    }

    private final class NamesFound: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0.sorted() } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }
}
