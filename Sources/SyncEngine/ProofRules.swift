import ParseModel
import RemoteService

/// Whether the remote's present row proves what became of a request. Pure.
enum ProofRules {
    enum Verdict: Sendable, Hashable {
        case applied
        /// Not seen, and doing it twice does no harm.
        case mayBeSentAgain
        /// The row has not changed since: the request has not been carried out, or not yet.
        case notApplied
        /// The row has changed, by us or by others.
        case unprovable
        /// The object has been deleted here since, and nobody else has edited it.
        case moot
        /// The object has been deleted here since, and somebody else has edited it.
        case editedByOthers
    }

    /// - Parameter mark: whether the row has the id of the operation; nil where there are no such ids.
    static func judge(_ entry: OutboxEntry, against record: RemoteRecord, mark: Bool? = nil) -> Verdict {
        if entry.isFollowedByDelete {
            let applied = Replay.view(base: entry.base, steps: [entry.step], className: entry.className)
            return [entry.base?.fields, applied?.fields].contains(record.fields) ? .moot : .editedByOthers
        }
        if entry.step.operations.isIdempotent {
            return holds(record, what: entry) ? .applied : .mayBeSentAgain
        }
        if let mark { return mark ? .applied : .notApplied }
        if let version = record.version { return version == entry.base?.version ? .notApplied : .unprovable }
        // A Parse Server bumps updatedAt with every write.
        return record.updatedAt == entry.base?.updatedAt ? .notApplied : .unprovable
    }

    /// The row that may be what a create made and somebody has edited since: it has been written again, and has more of
    /// what was sent than any other such row, by the length of the text: a title says more than a zero. Nil where none
    /// has anything of it.
    static func likeliest(among records: [RemoteRecord], from entry: OutboxEntry) -> RemoteRecord? {
        let sent = Replay.view(base: nil, steps: [entry.step], className: entry.className)?.fields ?? JSONObject()
        var best: (record: RemoteRecord, kept: Int)?
        for record in records where record.updatedAt != record.createdAt {
            let kept = sent.reduce(0) { sum, field in
                sum + (equal(record.fields[field.key], field.value) ? field.value.jsonText.utf8.count : 0)
            }
            if kept > best?.kept ?? 0 || (sent.isEmpty && best == nil) { best = (record, kept) }
        }
        return best?.record
    }

    /// Whether the row is what a create that was sent has made, perhaps with others' edits, and no other object of that id.
    static func isOwn(_ record: RemoteRecord, of entry: OutboxEntry) -> Bool {
        !entry.step.mayBeTaken || holds(record, what: entry)
    }

    /// Whether the row has every field as the entry set it; a deleted field is absent.
    static func holds(_ record: RemoteRecord, what entry: OutboxEntry) -> Bool {
        let intended = Replay.view(
            base: entry.step.kind == .create ? nil : entry.base, steps: [entry.step], className: entry.className)
        return entry.step.operations.fields.allSatisfy { field in
            equal(record.fields[field], intended?.fields[field])
        }
    }

    private static func equal(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
        switch (a, b) {
        // A server adds the address to a file, and decides on it.
        case (.object(let a)?, .object(let b)?) where a["__type"] == "File" && b["__type"] == "File":
            a["name"] == b["name"]
        default: (a ?? .null) == (b ?? .null)
        }
    }
}
