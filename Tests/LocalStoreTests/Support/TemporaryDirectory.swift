import Foundation

/// A place on disk that is gone after the test. The data directory inside it is left for the store to make.
final class TemporaryDirectory: Sendable {
    let root: String

    var path: String { root + "/data" }

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "tidegate-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }
}
