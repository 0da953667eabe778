import ParseModel
import RemoteService
import StoreService

/// The findings of `tidegate doctor` about the configuration, the local file and the remote.
package struct DoctorFindings: Sendable {
    private let configuration: GatewayConfiguration
    /// The damage of the SQLite file; nil if it was not checked.
    package let damage: [String]?
    /// The ACLs and class permissions that a standalone gateway enforces.
    package let rights: [String]
    /// The users of a standalone gateway who cannot do everything that others can.
    package let users: [String]
    package let people: [String]
    package let replacedIds: [String]
    /// The findings about the remote; nil for a standalone gateway.
    package let remote: [RemoteFinding]?

    /// Runs the checks. They change nothing.
    /// - Parameter includesFile: whether the SQLite file is checked for damage, which reads the whole file.
    /// - Throws: `GatewayError` if a file is unreadable, or the kind of the remote is unknown.
    package init(
        _ configuration: GatewayConfiguration, includesFile: Bool, stores: any StoreKind,
        remotes: RemoteFactory = .standard
    ) async throws(GatewayError) {
        let directory = configuration.dataDirectory
        self.configuration = configuration
        damage = includesFile ? try await Doctor.checkFile(in: directory, stores: stores) : nil
        rights = try Doctor.rights(in: directory, stores: stores)
        users = try Doctor.users(in: directory, stores: stores)
        people = try Doctor.people(configuration, stores: stores)
        replacedIds = try Doctor.replacedIds(in: directory, stores: stores)
        remote = try await Doctor.diagnose(configuration, stores: stores, remotes: remotes)
    }

    package var isHealthy: Bool { Self.isHealthy(remote, damage: damage) }

    static func isHealthy(_ remote: [RemoteFinding]?, damage: [String]?) -> Bool {
        remote?.contains { $0.state == .failed } != true && damage?.isEmpty != false
    }

    /// `{"healthy":true,"dataDirectory":"…","damage":null,"remote":"https://…","notes":[…],"findings":[…],…}`. Each finding about
    /// the remote is `{"name","state","text","hint"}`, with `hint` optional.
    package var json: JSONObject {
        func texts(_ lines: [String]) -> JSONValue { .array(lines.map(JSONValue.string)) }
        var all = Self.settings(configuration)
        let found: JSONObject = [
            "healthy": .bool(isHealthy), "damage": damage.map(texts) ?? .null,
            "findings": .array((remote ?? []).map(Self.json)), "rights": texts(rights), "users": texts(users),
            "people": texts(people), "replacedIds": texts(replacedIds),
        ]
        for (name, value) in found { all[name] = value }
        return all
    }

    /// What the settings alone say: `{"dataDirectory":"…","remote":"https://…","notes":[…]}`.
    package static func settings(_ configuration: GatewayConfiguration) -> JSONObject {
        [
            "dataDirectory": .string(configuration.dataDirectory),
            "remote": configuration.remote.map { .string($0.url) } ?? .null,
            "notes": .array((configuration.notes + configuration.warnings).map(JSONValue.string)),
        ]
    }

    static func json(_ finding: RemoteFinding) -> JSONValue {
        var object: JSONObject = [
            "name": .string(finding.name), "state": .string(finding.state.rawValue), "text": .string(finding.text),
        ]
        if let hint = finding.hint { object["hint"] = .string(hint) }
        return .object(object)
    }
}
