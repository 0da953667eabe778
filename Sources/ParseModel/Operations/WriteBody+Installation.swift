/// The rules for the fields of a write to `_Installation`, as in `handleInstallation` of Parse Server's `RestWrite`.
/// `InstallationMatching` finds other installations of the same device.
extension WriteBody {
    /// The body with its installation id in lower case. A device token of 64 characters, as Apple devices have, is also put in
    /// lower case.
    static func installation(_ body: JSONObject) -> JSONObject {
        var object = body
        if let id = body["installationId"]?.string { object["installationId"] = .string(id.lowercased()) }
        if let token = body["deviceToken"]?.string, token.utf16.count == 64 {
            object["deviceToken"] = .string(token.lowercased())
        }
        return object
    }

    /// Checks whether an update may change the installation id, the device token and the device type.
    /// - Parameter fields: the current fields of the installation.
    /// - Throws: Parse error 136 (unchangeable field) for a change that is not allowed.
    package func checkInstallation(_ fields: JSONObject) throws(ParseError) {
        let isKnown = { (name: String) in fields[name]?.isTruthy == true }
        for name in ["installationId", "deviceToken", "deviceType"] where changes(name, fields[name]) {
            let mayChange =
                switch name {
                case "installationId": !isKnown(name)
                // A device token may change if an installation id identifies the device.
                case "deviceToken": !isKnown(name) || isKnown("installationId") || operations["installationId"] != nil
                default: false
                }
            guard mayChange else {
                throw ParseError(.unchangeableField, "\(name) may not be changed in this operation")
            }
        }
    }

    private func changes(_ name: String, _ present: JSONValue?) -> Bool {
        if deleted.contains(name) { return true }
        guard case .set(let value) = operations[name], value.isTruthy else { return false }
        return value != present
    }
}
