import ParseModel

/// The rights to read an object before and after a change. The change feed stores them with its entry, to decide which
/// readers see the entry.
struct EntryRights {
    /// The values of the column `acl` of `objects`, before and after.
    var aclBefore: Int64 = 0
    var aclAfter: Int64 = 0
    /// The values of the pointer fields that permissions compare with the user, as a JSON object; nil for none.
    var pointersBefore: String?
    var pointersAfter: String?
    /// The number of the change of rights that caused the entry; nil if the object itself changed.
    var change: Int64?

    /// The values of the pointer fields in a view, as a JSON object.
    /// - Parameter fields: the names of the pointer fields.
    /// - Parameter view: the text of the object; nil for no object.
    static func pointers(_ fields: [String], in view: String?) -> String? {
        guard !fields.isEmpty, let view,
            let object = try? JSONReader.read(view, depthMax: JSONReader.storedDepthMax).object
        else { return nil }
        return JSONObject(object.filter { fields.contains($0.key) }.map { ($0.key, $0.value) }).jsonText
    }
}

extension EntryRights {
    /// The rights for an entry about a change of an object.
    /// - Parameters:
    ///   - before: the value of the column `acl` before the change; 0 for no object.
    ///   - view: the text of the object before the change; nil for no object.
    ///   - fields: the names of the pointer fields that permissions compare with the user.
    init(
        acls before: Int64, _ after: Int64, views view: String?, _ newView: String?, pointers fields: [String]
    ) {
        (aclBefore, aclAfter) = (before, after)
        (pointersBefore, pointersAfter) = (Self.pointers(fields, in: view), Self.pointers(fields, in: newView))
    }

    /// The rights for an entry that a change of rights causes. The object is unchanged, so its ACL and pointers are the
    /// same before and after.
    init(acl: Int64, pointers: String?, change: Int64) {
        (aclBefore, aclAfter) = (acl, acl)
        (pointersBefore, pointersAfter) = (pointers, pointers)
        self.change = change
    }
}
