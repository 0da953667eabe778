import ParseModel

/// A change of one object, with the states of the object before and after the change. Live queries need both.
package struct LiveChange: Sendable {
    /// The number of the change in the change feed.
    package let number: Int64
    package let className: String
    package let objectId: String
    package let kind: ChangeEntry.Kind
    /// The JSON text of the object before the change; nil if there was no object, or if the reader could not read it.
    package let before: String?
    /// The JSON text of the object right after the change; nil if there is no object, or if the reader cannot read it.
    package let after: String?
    /// The facts about the readers of the object before and after the change.
    package let readers: Readers

    /// Decides which principals could read an object before a change, and which can read it afterwards.
    package struct Readers: Sendable {
        /// The store's numbers of the object's ACLs.
        package let aclBefore: Int64
        package let aclAfter: Int64
        /// The pointers that the permissions of the class compare with the user, as JSON objects; nil for none.
        package let pointersBefore: String?
        package let pointersAfter: String?

        package init(aclBefore: Int64, aclAfter: Int64, pointersBefore: String?, pointersAfter: String?) {
            (self.aclBefore, self.aclAfter) = (aclBefore, aclAfter)
            (self.pointersBefore, self.pointersAfter) = (pointersBefore, pointersAfter)
        }
    }

    package init(
        number: Int64, _ object: Pointer, kind: ChangeEntry.Kind, before: String?, after: String?, readers: Readers
    ) {
        self.number = number
        (className, objectId) = (object.className, object.objectId)
        self.kind = kind
        (self.before, self.after) = (before, after)
        self.readers = readers
    }
}

/// A page of the change feed with the states of the objects.
package struct LivePage: Sendable {
    package let changes: [LiveChange]
    /// The number to pass as `since` for the next page.
    package let next: Int64
    /// Whether the page contains all changes up to the newest number of the feed.
    package let isLast: Bool
    /// The number of the feed's last entry about a change of rights; 0 without such an entry.
    package let rightsChangedAt: Int64
    /// Whether an object of any class has got another id, between the positions before and after this page.
    package let renamesObjects: Bool

    package init(
        changes: [LiveChange], next: Int64, isLast: Bool, rightsChangedAt: Int64, renamesObjects: Bool
    ) {
        (self.changes, self.next, self.isLast) = (changes, next, isLast)
        (self.rightsChangedAt, self.renamesObjects) = (rightsChangedAt, renamesObjects)
    }
}
