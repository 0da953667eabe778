import ParseModel

extension Principal {
    /// The kind of principal, as in `GET /principal`.
    var kind: String {
        switch self {
        case .public: "public"
        case .user: "user"
        case .readOnlyMaster: "readOnlyMasterKey"
        case .maintenance: "maintenanceKey"
        case .master: "masterKey"
        }
    }
}
