/// The ACL that a new object gets if its creator gives it none. The permissions of the class name it
/// (`classLevelPermissions.ACL`).
package enum DefaultACL {
    /// The name of the member of the permissions that contains this ACL.
    package static let name = "ACL"
    /// The key of the ACL that stands for the user who creates the object.
    private static let creator = "currentUser"

    /// The ACL of an object that a principal creates without an ACL of its own.
    /// - Parameter given: the member `ACL` of the class's permissions.
    static func acl(_ given: JSONObject, for principal: Principal) -> JSONValue? {
        var entries = given
        entries[creator] = nil
        if let user = principal.user, let rights = given[creator] { entries[user.objectId] = rights }
        return AccessControlList.canonical(.object(entries))
    }
}
