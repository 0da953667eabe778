import ParseModel

/// The functions of a store for exports and imports of whole classes.
package protocol TransferStore: Sendable {
    /// The number of objects that the next call of `importObjects` should receive. It is lower while clients write.
    var objectsTogether: Int { get }

    /// Checks an object as far as possible without the file. Another thread can do this while `importObjects` writes
    /// earlier objects.
    func prepare(_ object: ImportedObject) -> PreparedImport

    /// Imports objects in one transaction. An object with the id of a stored object changes those of its fields that
    /// differ. An object with another id, or without one, is created. A created object keeps its id, also in a store in
    /// which clients may not choose ids.
    /// - Parameters:
    ///   - pass: whether the changes stay. A check finds the same refusals as the write.
    /// - Returns: one result for each object. A refused object changes nothing. A refusal is a `ParseError` or a
    ///   `StoreError` about the object.
    /// - Throws: `StoreError` if the transaction fails, for example because the disk is full.
    func importObjects(
        _ objects: [PreparedImport], as principal: Principal, _ pass: ImportPass
    ) async throws -> [Result<ImportOutcome, any Error>]

    /// Passes the members of a relation, as clients see them, to `each`: first by the id of the owner, then by the id of
    /// the member. Rights are not checked.
    /// - Throws: the errors of `each`, `StoreError`.
    func relationMembers(
        of className: String, _ field: String, each: (_ ownerId: String, _ memberId: String) throws -> Void) throws

    /// The relation fields of a class that have members. Rights are not checked.
    func relationsWithMembers(of className: String) throws -> [String]

    /// The hash of a user's password; nil for a user without a password. Rights are not checked.
    func passwordHash(of userId: String) throws -> String?
}

/// An object in an import. The printed form of this value does not contain the hash.
package struct ImportedObject: Sendable, CustomStringConvertible, CustomReflectable {
    package let className: String
    /// The fields in Parse's JSON. The `authData` of a user was checked. `objectId`, `createdAt` and `updatedAt` may be missing. `createdAt` and `updatedAt`
    /// count only with the maintenance key, for a new object in a standalone store.
    package let fields: JSONObject
    /// The hash of the password of an imported user; nil to leave the password of the user as it is.
    package let passwordHash: String?

    package init(className: String, fields: JSONObject, passwordHash: String? = nil) {
        self.className = className
        self.fields = fields
        self.passwordHash = passwordHash
    }

    package var description: String { "An object of \(className)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// An imported object with the write that would create it.
package struct PreparedImport: Sendable {
    package let object: ImportedObject
    package let create: PreparedWrite

    /// - Parameter fieldsMax: the maximum number of fields in a class.
    package init(_ object: ImportedObject, fieldsMax: Int) {
        self.object = object
        var terms = WriteTerms()
        terms.keepsId = true
        let create = WriteRequest.create(className: object.className, body: object.fields, terms: terms)
        self.create = PreparedWrite(create, fieldsMax: fieldsMax, allowsAuthData: true)
    }
}

/// The effect of an imported object.
package enum ImportOutcome: String, Sendable, CaseIterable { case made, changed, unchanged }

/// The two passes of an import.
package enum ImportPass: Sendable {
    /// Checks the objects and changes nothing.
    case check
    /// Writes the objects.
    /// - Parameter isLast: whether these are the last objects of the import.
    case write(isLast: Bool)
}
