import HTTPServer
import HTTPTypes
import Logging
import ParseModel
import Synchronization

/// Decides from a request's credentials whether the request is answered, and for which principal.
///
/// - If an access key is set, each request needs the access key or a master key.
/// - If client keys are set, each request needs the key of its kind of client, the access key or a master key. If only the REST key
///   is set, a client may send it in the header of any client key, for example of the JavaScript key.
/// - If an application id is set, a request with another id is refused. A Parse request without an id must come from the page, or
///   send one of this gateway's keys in the place of the access key.
/// - The master key, the read-only master key and the maintenance key count only from loopback and from the allowed networks.
struct KeyCheck: Sendable {
    private let applicationId: String?
    private let accessKey: [UInt8]?
    private let clientKeys: [ClientKind: [UInt8]]
    private let masterKey: [UInt8]?
    private let readOnlyMasterKey: [UInt8]?
    private let maintenanceKey: [UInt8]?
    private let remoteMasterKey: [UInt8]?
    private let networks: [IPNetwork]
    private let refusals: RefusedMasterKeys

    /// Whether no key and no application id is required. Only requests with a master key are then checked.
    private var acceptsEveryClient: Bool { applicationId == nil && accessKey == nil && clientKeys.isEmpty }

    init(_ keys: ClientKeys, accessKey: String?, refusals: RefusedMasterKeys) {
        applicationId = keys.applicationId
        self.accessKey = accessKey?.nonEmptyBytes
        clientKeys = keys.clients.compactMapValues(\.nonEmptyBytes)
        masterKey = keys.masterKey?.nonEmptyBytes
        readOnlyMasterKey = keys.readOnlyMasterKey?.nonEmptyBytes
        maintenanceKey = keys.maintenanceKey?.nonEmptyBytes
        remoteMasterKey = keys.remoteMasterKey?.nonEmptyBytes
        networks = keys.masterKeyNetworks
        self.refusals = refusals
    }

    /// - Parameters:
    ///   - credentials: nil if they are unreadable.
    ///   - isParse: false for a request of Tidegate's own API, which need not name the application id.
    ///   - isFromPage: whether the request has the header of the gateway's page.
    ///   - peer: the address of the client.
    ///   - takesBearer: whether a master key that is sent as the access key gives the master principal. Prometheus can
    ///     send a key only in this way.
    /// - Throws: `APIError.unauthorized`; `APIError.masterKeyFromElsewhere` for a master key from an address that is not allowed.
    func principal(
        _ credentials: Credentials?, isParse: Bool, isFromPage: Bool, peer: IPAddress, takesBearer: Bool = false
    ) throws(APIError) -> Principal {
        let privileged = privileged(credentials)
        let sendsMasterKey = isOne(of: credentials?.accessKeys ?? [], masterKey)
        guard privileged == nil && !sendsMasterKey || isAllowed(peer) else {
            refusals.note(peer)
            throw .masterKeyFromElsewhere
        }
        guard isAccepted(credentials, isOwner: privileged != nil || sendsMasterKey, isParse, isFromPage) else {
            throw .unauthorized
        }
        return privileged ?? (sendsMasterKey && takesBearer ? .master : .public)
    }

    /// The principal of a request with the maintenance key, the master key or the read-only master key. As in Parse Server, the
    /// keys take precedence in this order. Nil without such a key.
    private func privileged(_ credentials: Credentials?) -> Principal? {
        guard let credentials else { return nil }
        if isOne(of: credentials.maintenanceKeys, maintenanceKey) { return .maintenance }
        guard let offered = credentials.masterKey else { return nil }
        let (isMaster, isReadOnly) = (isOne(of: [offered], masterKey), isOne(of: [offered], readOnlyMasterKey))
        return isMaster ? .master : isReadOnly ? .readOnlyMaster : nil
    }

    private func isAllowed(_ peer: IPAddress) -> Bool {
        peer.isLoopback || networks.contains { $0.contains(peer) }
    }

    /// - Parameter isOwner: whether the request has one of this gateway's master keys.
    private func isAccepted(
        _ credentials: Credentials?, isOwner: Bool, _ isParse: Bool, _ isFromPage: Bool
    ) -> Bool {
        if acceptsEveryClient { return true }
        if let named = credentials?.applicationId, !named.isEmpty, let applicationId, named != applicationId {
            return false
        }
        let hasAccessKey = isOne(of: credentials?.keys ?? [], accessKey)
        let hasClientKey = hasClientKey(credentials?.clientKeys ?? [])
        // If an application id is set, a Parse request must name it, come from the page, or send one of this gateway's keys as
        // the access key.
        let own = credentials?.accessKeys ?? []
        let hasOwnKey = isOne(of: own, accessKey) || isClientKey(own) || isOne(of: own, masterKey)
        let namesNothing = (credentials?.applicationId ?? "").isEmpty
        if isParse, applicationId != nil, namesNothing, !isFromPage, !hasOwnKey { return false }
        if accessKey != nil, !isOwner, !hasAccessKey { return false }
        // As in Parse Server, a request with a master key, of this gateway or of the remote, needs no client key. A request with
        // the access key needs no client key either, because some clients can send only one key.
        let isRemoteOwner = credentials?.masterKey.map { isOne(of: [$0], remoteMasterKey) } ?? false
        return clientKeys.isEmpty || isOwner || isRemoteOwner || hasClientKey || isClientKey(own) || hasAccessKey
    }

    /// Whether the text is one of this gateway's keys.
    func isOwnKey(_ text: String) -> Bool {
        let keys = [masterKey, readOnlyMasterKey, maintenanceKey, accessKey]
        return keys.reduce(isClientKey([text])) { isOne(of: [text], $1) || $0 }
    }

    /// Whether a client has sent the key of its kind.
    private func hasClientKey(_ offered: [Credentials.OfferedKey]) -> Bool {
        let isForAll = clientKeys.count == 1 && clientKeys[.rest] != nil
        if isForAll { return isClientKey(offered.map(\.text)) }
        return offered.reduce(false) { found, key in
            isOne(of: [key.text], key.kind.flatMap { clientKeys[$0] }) || found
        }
    }

    /// Whether one of the texts is a client key of any kind.
    private func isClientKey(_ offered: [String]) -> Bool {
        clientKeys.values.reduce(false) { isOne(of: offered, $1) || $0 }
    }

    private func isOne(of offered: [String], _ key: [UInt8]?) -> Bool {
        guard let key else { return false }
        // All values are compared, so that the duration of the check does not reveal which one matched.
        return offered.reduce(false) { ConstantTime.isEqual($1, key) || $0 }
    }
}

/// Comparisons whose duration does not depend on the position of the first different byte.
package enum ConstantTime {
    @inline(never)
    package static func isEqual(_ offered: String, _ key: [UInt8]) -> Bool {
        let offered = Array(offered.utf8)
        var difference = offered.count ^ key.count
        for i in key.indices { difference |= Int(key[i] ^ (i < offered.count ? offered[i] : 0)) }
        return difference == 0
    }
}

extension String {
    fileprivate var nonEmptyBytes: [UInt8]? { isEmpty ? nil : Array(utf8) }
}

/// Logs the addresses from which a master key was refused, each once.
final class RefusedMasterKeys: Sendable {
    private let logger: Logger
    private let known = Mutex<Set<IPAddress>>([])
    /// The maximum number of logged addresses. An attacker with many addresses cannot fill the log or the memory.
    private static let addressesMax = 256

    init(logger: Logger) { self.logger = logger }

    func note(_ address: IPAddress) {
        let isNew = known.withLock { $0.count < Self.addressesMax && $0.insert(address).inserted }
        guard isNew else { return }
        logger.error(
            """
            a master key was refused because it came from \(address); \
            --local-master-key-ips \(address) (TIDEGATE_LOCAL_MASTER_KEY_IPS) would allow it
            """)
    }
}
