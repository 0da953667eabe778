import ParseModel
import SyncModel

/// The state that a write was made on, and whether its receipt has a `_sync`.
package struct WriteTerms: Sendable, Hashable {
    /// The states in which the object may be (`If-Match`); nil for any.
    package var match: TagMatch?
    /// The `updatedAt` of the object that the writer has seen (`_base`); nil where it does not say.
    package var base: ParseDate?
    /// Whether the receipt tells the object's mark.
    package var wantsMark: Bool

    /// Whether the write is for the object in any state.
    package var isForAnyState: Bool { (match == nil || match == .exists) && base == nil }

    package init(match: TagMatch? = nil, base: ParseDate? = nil, wantsMark: Bool = false) {
        self.match = match
        self.base = base
        self.wantsMark = wantsMark
    }
}

/// Which states of an object a write is for.
package enum TagMatch: Sendable, Hashable {
    /// Any, as long as there is one.
    case exists
    /// Those with one of these tags.
    case tags(Set<String>)
}

/// The members of an object's `_sync`.
package struct ObjectMark: Sendable, Hashable {
    package let state: SyncState
    /// The remote has taken the object and does not show it.
    package let isHidden: Bool
    /// A strong entity tag of its fields, quotation marks included; nil of an object that is gone. An acknowledgement of our
    /// own push leaves it as it is.
    package let tag: String?
    /// The fields that are kept here, where others are not fetched from the remote; nil for all.
    package let fetched: [String]?

    package init(state: SyncState, isHidden: Bool = false, tag: String?, fetched: [String]?) {
        self.state = state
        self.isHidden = isHidden
        self.tag = tag
        self.fetched = fetched
    }
}
