import Foundation

/// The file `address` in a data directory, with the URL of the gateway that runs there. A gateway that was killed leaves
/// the file behind, so the URL counts only while the directory is in use.
struct AddressFile {
    private let path: String

    /// - Parameter directory: the data directory.
    init(in directory: String) { path = directory + "/address" }

    /// The URL in the file; nil without a file.
    var url: String? {
        guard let content = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.hasPrefix("http://") || text.hasPrefix("https://") ? text : nil
    }

    /// Writes the URL. Readers see the old content or the new one.
    /// - Throws: an error of Foundation.
    func write(_ url: String) throws {
        try Data((url + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
        _ = chmod(path, 0o600)
    }

    /// Removes the file, if there is one.
    func remove() { unlink(path) }
}
