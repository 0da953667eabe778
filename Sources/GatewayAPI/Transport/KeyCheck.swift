import HTTPTypes
import ParseModel

/// Decides from a request's credentials whether it is answered, and as whose.
///
/// The access key keeps out each client that does not have it. Application id and client key are Parse's: wrong ones are
/// refused as there, but a request that carries the right one of Tidegate's own keys, or comes from its page, need not name
/// the application. One REST key stands for all kinds of client keys.
struct KeyCheck: Sendable {
    private let applicationId: String?
    private let accessKey: [UInt8]?
    private let restKey: [UInt8]?
    private let masterKey: [UInt8]?
    private let remoteMasterKey: [UInt8]?

    /// No key is required, so the keys of most requests need no check.
    private var takesEachClient: Bool { applicationId == nil && accessKey == nil && restKey == nil }

    init(_ keys: ClientKeys, accessKey: String?) {
        applicationId = keys.applicationId
        self.accessKey = accessKey?.nonEmptyBytes
        restKey = keys.restKey?.nonEmptyBytes
        masterKey = keys.masterKey?.nonEmptyBytes
        remoteMasterKey = keys.remoteMasterKey?.nonEmptyBytes
    }

    /// - Parameters:
    ///   - credentials: nil where they cannot be read.
    ///   - isParse: the request is one of Parse's own dialect.
    /// - Returns: nil for a request that is refused.
    func principal(_ credentials: Credentials?, isParse: Bool, isFromPage: Bool) -> Principal? {
        if takesEachClient, credentials?.masterKey == nil { return .public }
        let isMaster = credentials?.masterKey.map { isOne(of: [$0], masterKey) } ?? false
        let isOwner = isMaster || isOne(of: credentials?.accessKeys ?? [], masterKey)
        if let named = credentials?.applicationId, !named.isEmpty, let applicationId, named != applicationId {
            return nil
        }
        let hasAccessKey = isOne(of: credentials?.keys ?? [], accessKey)
        let hasRESTKey = isOne(of: credentials?.clientKeys ?? [], restKey)
        // Only right keys of Tidegate's own count for the name, in the places that are Tidegate's own.
        let own = credentials?.accessKeys ?? []
        let hasOwnKey = isOne(of: own, accessKey) || isOne(of: own, restKey) || isOne(of: own, masterKey)
        let namesNothing = (credentials?.applicationId ?? "").isEmpty
        if isParse, applicationId != nil, namesNothing, !isFromPage, !hasOwnKey { return nil }
        if accessKey != nil, !isOwner, !hasAccessKey { return nil }
        // As on a Parse Server, a master key needs no client key beside it: this gateway's, or the remote's where that is
        // known here. The access key opens more than a client key does, and some clients have a place for one key only.
        let isRemoteOwner = credentials?.masterKey.map { isOne(of: [$0], remoteMasterKey) } ?? false
        if restKey != nil, !isOwner, !isRemoteOwner, !hasRESTKey, !isOne(of: own, restKey), !hasAccessKey {
            return nil
        }
        return isMaster ? .master : .public
    }

    /// Whether the text is one of this gateway's keys, which no other server may learn.
    func isOwnKey(_ text: String) -> Bool {
        isOne(of: [text], masterKey) || isOne(of: [text], accessKey) || isOne(of: [text], restKey)
    }

    private func isOne(of offered: [String], _ key: [UInt8]?) -> Bool {
        guard let key else { return false }
        // All are compared, so that the time does not tell which one it was.
        return offered.reduce(false) { ConstantTime.isEqual($1, key) || $0 }
    }
}

/// Comparisons whose time does not depend on the place of the first wrong byte.
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
