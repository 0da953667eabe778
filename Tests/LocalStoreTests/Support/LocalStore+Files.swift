import Foundation
import LocalStore
import ParseModel
import StoreService
import StoreSupport

extension LocalStore {
    func draft(_ text: String) throws -> FileDraft {
        let draft = try draft()
        try Array(text.utf8).withUnsafeBytes { try draft.write($0) }
        return draft
    }

    @discardableResult
    func addFile(_ name: String, _ text: String) async throws -> StoredFile {
        try await addFile(try draft(text), name: name, contentType: "text/plain")
    }

    /// The content of a file as text; nil if the store does not have the content.
    func text(of name: String) throws -> String? {
        let path = try file(name).flatMap(contentPath)
        return path.flatMap { FileManager.default.contents(atPath: $0) }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONValue {
    static func file(_ name: String, url: String? = nil) -> JSONValue { FileReference(name: name, url: url).json }
}
