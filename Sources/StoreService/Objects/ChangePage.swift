import SyncModel

/// A page of the change feed.
package struct ChangePage: Sendable {
    package let entries: [ChangeEntry]
    /// The number to pass as `since` for the next page.
    package let next: Int64
    /// The number of the feed's last entry about a change of rights; 0 without such an entry. Later entries with
    /// `isForAll` are the same for every reader.
    package let rightsChangedAt: Int64

    package init(entries: [ChangeEntry], next: Int64, rightsChangedAt: Int64 = 0) {
        self.entries = entries
        self.next = next
        self.rightsChangedAt = rightsChangedAt
    }
}

/// One change of one object, by a local client or by a sync.
package struct ChangeEntry: Sendable {
    package enum Kind: String, Sendable { case create, update, delete }

    package let number: Int64
    package let className: String
    package let objectId: String
    package let kind: Kind
    /// The object's current JSON, which may be newer than this entry; nil for a deleted object.
    package let json: String?
    /// The object's current sync state.
    package let state: SyncState
    /// Whether the remote has acknowledged the object's create, but does not show the object to this gateway.
    package let isHidden: Bool
    /// The version of the object's content, for its entity tag.
    package let contentMark: ContentMark
    /// Whether every client could read the whole object, before and after the change.
    package let isForAll: Bool

    package init(
        number: Int64, className: String, objectId: String, kind: Kind, json: String?, state: SyncState = .synced,
        isHidden: Bool = false, contentMark: ContentMark = .none, isForAll: Bool = false
    ) {
        self.isForAll = isForAll
        self.state = state
        self.isHidden = isHidden
        self.contentMark = contentMark
        self.number = number
        self.className = className
        self.objectId = objectId
        self.kind = kind
        self.json = json
    }
}
