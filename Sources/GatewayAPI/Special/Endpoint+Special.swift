extension Endpoint {
    /// What a path of a special class asks of that class; nil for all others.
    var onObjects: (endpoint: Endpoint, className: String)? {
        switch self {
        case .signUp: (.createObject, "_User")
        case .listUsers: (.listObjects, "_User")
        case .getUser: (.getObject, "_User")
        case .updateUser: (.updateObject, "_User")
        case .deleteUser: (.deleteObject, "_User")
        case .listInstallations: (.listObjects, "_Installation")
        case .createInstallation: (.createObject, "_Installation")
        case .getInstallation: (.getObject, "_Installation")
        case .updateInstallation: (.updateObject, "_Installation")
        case .deleteInstallation: (.deleteObject, "_Installation")
        case .listRoles: (.listObjects, "_Role")
        case .createRole: (.createObject, "_Role")
        case .getRole: (.getObject, "_Role")
        case .updateRole: (.updateObject, "_Role")
        case .deleteRole: (.deleteObject, "_Role")
        case .listSessions: (.listObjects, "_Session")
        case .createSession: (.createObject, "_Session")
        case .getSession: (.getObject, "_Session")
        case .updateSession: (.updateObject, "_Session")
        case .deleteSession: (.deleteObject, "_Session")
        default: nil
        }
    }
}
