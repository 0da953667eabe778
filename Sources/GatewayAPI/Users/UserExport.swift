import Foundation
import ParseModel
import StoreService

/// The data of one user that exists only on this machine, as JSON objects: unsent changes, conflicts, removals that
/// wait for a confirmation, and files.
package struct UserExport: Sendable, Hashable {
    package let user: KnownUser
    /// One object for each change, conflict, unconfirmed removal and file. `entry` is `change`, `conflict`, `removal`
    /// or `file`; the other members are those of `/sync/pending`, `/sync/conflicts` and `/sync/removals`. A file has
    /// `name`, `contentType` and `base64`.
    package let entries: [JSONObject]

    /// Identifies the exported entries: the SHA-256 of their lines of JSON, in hexadecimal. The digest covers the
    /// entries as they are stored, without the file URLs that a gateway inserts into its answer.
    package let digest: String

    package init(user: KnownUser, entries: [JSONObject]) {
        (self.user, self.entries) = (user, entries)
        digest = ContentDigest.text(of: Self.lines(of: entries))
    }

    /// - Parameter work: the unsent data; nil for a user without a space.
    /// - Throws: errors of the store; an error of the file system if the content of a file cannot be read.
    package init(user: KnownUser, work: WaitingWork?) throws {
        guard let work else {
            self.init(user: user, entries: [])
            return
        }
        let entries =
            try work.changes.map { Self.entry("change", try $0.json()) }
            + work.conflicts.map { Self.entry("conflict", try $0.json()) }
            + work.removals.map { Self.entry("removal", $0.json) }
            + work.files.map { file in
                let content = try Data(contentsOf: URL(filePath: file.path))
                return Self.entry(
                    "file",
                    [
                        "name": .string(file.name), "contentType": file.contentType.map(JSONValue.string) ?? .null,
                        "base64": .string(content.base64EncodedString()),
                    ])
            }
        self.init(user: user, entries: entries)
    }

    /// Reads the answer of `GET /sync/users/{userId}/export`; nil for another answer.
    package init?(_ json: JSONObject) {
        guard let id = json["objectId"]?.string, let entries = json["entries"]?.array,
            let digest = json["digest"]?.string
        else { return nil }
        user = KnownUser(objectId: id, name: json["username"]?.string)
        self.entries = entries.compactMap(\.object)
        self.digest = digest
    }

    private static func entry(_ kind: String, _ members: JSONObject) -> JSONObject {
        var entry: JSONObject = ["entry": .string(kind)]
        for (name, value) in members { entry[name] = value }
        return entry
    }

    /// The entries as lines of JSON.
    package var lines: String { Self.lines(of: entries) }

    private static func lines(of entries: [JSONObject]) -> String { entries.map { $0.jsonText + "\n" }.joined() }

    var json: JSONObject {
        var json = user.json
        json["digest"] = .string(digest)
        json["entries"] = .array(entries.map(JSONValue.object))
        return json
    }
}
