import Foundation
import GatewayAPI
import Logging
import ParseModel
import StoreService

/// The lives of objects in the data directory of a gateway that does not run. While this value exists, no gateway can use
/// the directory.
package struct StoppedLives: Sendable {
    /// The store of the gateway or of the chosen user.
    private let store: any GatewayStore
    private let syncs: LifeLines.Syncs

    /// Opens the store in a data directory.
    /// - Parameter user: the id or the name of a user of a personal replica, whose data is read; nil for the gateway's
    ///   own data.
    /// - Throws: `GatewayError` if the directory has no file, is in use, or has no data of the user.
    package init(
        directory: String, user: String?, stores: any StoreKind, environment: Environment = .live, logger: Logger
    ) throws(GatewayError) {
        try BackupFiles.requireStore(in: directory)
        do {
            let outline = try stores.remoteOutline(in: directory)
            var settings = GatewayConfiguration(dataDirectory: directory).store()
            if let outline {
                settings = StoreSettings(directory: directory, identity: StoreIdentity(remote: outline.remote))
                if outline.people == PeopleSettings.Mode.site.rawValue { settings.rights = .site }
            }
            let own = try stores.open(settings, environment: environment)
            syncs = outline == nil ? .none : .stopped
            if let user, let remote = outline?.remote {
                store = try Self.space(of: user, own, remote, directory, stores, environment)
            } else if user != nil {
                throw GatewayError("\(directory) has no data of single users")
            } else {
                store = own
            }
        } catch {
            throw GatewayError(error)
        }
    }

    private static func space(
        of user: String, _ own: any GatewayStore, _ remote: StoreIdentity.Remote, _ directory: String,
        _ stores: any StoreKind, _ environment: Environment
    ) throws -> any GatewayStore {
        let userId = try KnownUser(user, in: own.people).objectId
        let path = SpaceNames(dataDirectory: directory, remote: remote).path(of: userId)
        guard FileManager.default.fileExists(atPath: path) else {
            throw GatewayError("\(directory) has no data of the user \(user)")
        }
        let owned = StoreIdentity.Remote(
            kind: remote.kind, url: remote.url, applicationId: remote.applicationId, subject: userId)
        return try stores.open(
            StoreSettings(directory: path, identity: StoreIdentity(remote: owned)), environment: environment)
    }

    /// The life of an object, in the form of the answer to `GET /classes/:class/:id?_why=true`.
    package func life(of className: String, _ objectId: String) throws -> JSONObject {
        try LifeLines(of: className, objectId, in: store.objects, as: .master, syncs).json
    }
}
