import LocalStore
import ParseModel

extension LocalStore {
    /// Keeps a picture as if a client had uploaded it.
    func keep(_ picture: Picture, named name: String) async throws -> FileReference {
        let draft = try draft()
        try picture.png().withUnsafeBytes { try draft.write($0) }
        let file = try await addFile(
            draft, name: FileName.unique(name, Environment.live), contentType: "image/png")
        return FileReference(name: file.name, url: nil)
    }
}
