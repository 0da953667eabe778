/// The accepted differences between a standalone gateway and the recorded Parse Server, with reasons.
enum KnownDifferences {
    struct Difference {
        let name: String
        /// The status of the gateway's answer.
        let status: Int
        let code: Int?
        /// The names of the only members that differ, at any level; nil if the whole answer differs.
        let members: Set<String>?

        fileprivate init(_ name: String, _ status: Int, _ code: Int? = nil, members: Set<String>? = nil) {
            self.name = name
            self.status = status
            self.code = code
            self.members = members
        }
    }

    /// The reasons, each with the differences that it explains.
    static let byReason: [(reason: String, differences: [Difference])] = [
        (
            "The gateway tells of its own features, and what it is.",
            [Difference("serverInfo with master", 200, members: ["features", "tidegate"])]
        ),
        (
            "The gateway tells a writer who may read the object that the write is denied.",
            [Difference("update a read-only object", 404, 101, members: ["denied"])]
        ),
        (
            "PostgreSQL fails on null for a field that the class does not have; here it leaves the field out.",
            [Difference("update plain fields", 200)]
        ),
        (
            "PostgreSQL reorders an array; here elements keep their places, as they do on MongoDB.",
            [
                Difference("Add", 200, members: ["observedBy"]), Difference("AddUnique", 200, members: ["observedBy"]),
                Difference("Remove", 200, members: ["observedBy"]),
                Difference("get with a relation", 200, members: ["observedBy"]),
                Difference("include", 200, members: ["observedBy"]),
                Difference("get an object with a file", 200, members: ["observedBy"]),
            ]
        ),
        (
            "Ids are made up on both sides, and so is their order.",
            [Difference("keys objectId", 200)]
        ),
        (
            "PostgreSQL's words. Here an unknown operator is code 102, and a malformed value 107, as on MongoDB.",
            [Difference("where unknown operator", 400, 102), Difference("where all not an array", 400, 107)]
        ),
        (
            "What is the client's mistake is told as one, where the server fails inside.",
            [
                Difference("where bad or", 400, 102), Difference("where bad regex", 400, 102),
                Difference("where is not JSON", 400, 107), Difference("limit not a number", 400, 102),
            ]
        ),
        (
            "A transaction that fails says why; the server says only that it failed.",
            [Difference("batch in a transaction that fails", 404, 101)]
        ),
        (
            "Request ids are not kept: some SDKs send one and the same with every request.",
            [Difference("the same request id again", 201)]
        ),
        (
            "That only the master key removes files is said with a content type, as elsewhere.",
            [Difference("delete a file without master", 403)]
        ),
        (
            "A path without a route is told in JSON, not as a page of the server's framework.",
            [Difference("unknown route", 404), Difference("PUT without an id", 404)]
        ),
    ]

    static let byName = Dictionary(
        uniqueKeysWithValues: byReason.flatMap(\.differences).map { ($0.name, $0) })
}
