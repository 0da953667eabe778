/// What a Parse Server does with writes of installations (`handleInstallation` of its `RestWrite`), but for looking whether
/// the same device is there already.
extension WriteBody {
    /// An installation stays the same device.
    /// - Parameter fields: of the installation as it is.
    /// - Throws: 136 where the update would make it another one.
    package func checkInstallation(_ fields: JSONObject) throws(ParseError) {
        let isKnown = { (name: String) in fields[name]?.isTruthy == true }
        for name in ["installationId", "deviceToken", "deviceType"] where changes(name, fields[name]) {
            let mayChange =
                switch name {
                case "installationId": !isKnown(name)
                // A token is news of the device that the id tells.
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

extension JSONObject {
    /// Ids of installations are in small letters, and so are tokens of 64 characters, as Apple's devices have them.
    func asInstallation() -> JSONObject {
        var object = self
        if let id = self["installationId"]?.string { object["installationId"] = .string(id.lowercased()) }
        if let token = self["deviceToken"]?.string, token.utf16.count == 64 {
            object["deviceToken"] = .string(token.lowercased())
        }
        return object
    }
}
