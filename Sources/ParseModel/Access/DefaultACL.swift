/// The ACL of new objects that the permissions of a class name (`classLevelPermissions.ACL`).
package enum DefaultACL {
    /// The member of the permissions.
    package static let name = "ACL"
    /// The entry for the user who creates the object.
    private static let creator = "currentUser"

    /// The ACL of an object that a principal creates without one.
    /// - Parameter given: the member `ACL` of the permissions.
    static func acl(_ given: JSONObject, for principal: Principal) -> JSONValue? {
        var entries = given
        entries[creator] = nil
        if let user = principal.user, let rights = given[creator] { entries[user.objectId] = rights }
        return AccessControlList.canonical(.object(entries))
    }
}
