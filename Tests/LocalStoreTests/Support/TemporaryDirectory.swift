import Foundation

/// A temporary directory that is deleted after the test. The store itself creates the data directory inside.
final class TemporaryDirectory: Sendable {
    let root: String

    var path: String { root + "/data" }

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "tidegate-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }
}
