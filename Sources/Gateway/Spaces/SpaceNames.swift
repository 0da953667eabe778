import ParseModel
import StoreService

/// Computes the paths of the directories of the users' spaces.
struct SpaceNames: Sendable {
    /// The directory in which each space has a directory.
    let directory: String
    private let remote: StoreIdentity.Remote

    init(dataDirectory: String, remote: StoreIdentity.Remote) {
        directory = Self.directory(in: dataDirectory)
        self.remote = remote
    }

    static func directory(in dataDirectory: String) -> String { dataDirectory + "/users" }

    /// The path of the directory of a user's space. Its name is the SHA-256 of the remote's identity and the user's id: an id may hold
    /// any character, and some file systems ignore case.
    func path(of userId: String) -> String {
        let facts = [remote.kind, remote.url, remote.applicationId ?? "", userId].map(JSONValue.string)
        return directory + "/" + ContentDigest.text(of: JSONValue.array(facts).jsonText)
    }
}
