import ParseModel
import SyncModel

/// The required state of a write's object, and whether the receipt includes the `_sync` member.
package struct WriteTerms: Sendable, Hashable {
    /// The allowed states of the object (`If-Match`); nil for any.
    package var match: TagMatch?
    /// The `updatedAt` of the object that the writer has seen (`_base`); nil if not given.
    package var base: ParseDate?
    /// Whether the receipt includes the object's mark.
    package var wantsMark: Bool

    /// Whether the write is valid for the object in any state.
    package var isForAnyState: Bool { (match == nil || match == .exists) && base == nil }

    package init(match: TagMatch? = nil, base: ParseDate? = nil, wantsMark: Bool = false) {
        self.match = match
        self.base = base
        self.wantsMark = wantsMark
    }
}

/// The states of an object that a write requires.
package enum TagMatch: Sendable, Hashable {
    /// Any state of an existing object.
    case exists
    /// The states with one of these tags.
    case tags(Set<String>)
}

/// The members of an object's `_sync`.
package struct ObjectMark: Sendable, Hashable {
    package let state: SyncState
    /// Whether the remote has acknowledged the object but does not show it.
    package let isHidden: Bool
    /// A strong entity tag of the fields, quotation marks included; nil for a deleted object. It does not change when the remote
    /// acknowledges a push.
    package let tag: String?
    /// The locally stored fields; nil for all. The others are not fetched from the remote.
    package let fetched: [String]?

    package init(state: SyncState, isHidden: Bool = false, tag: String?, fetched: [String]?) {
        self.state = state
        self.isHidden = isHidden
        self.tag = tag
        self.fetched = fetched
    }
}
