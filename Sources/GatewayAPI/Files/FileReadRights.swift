import HTTPServer
import ParseModel
import StoreService

/// Decides whether a request may read a file. Everyone who knows the name of a file on the remote may read it. Each
/// product has its own rule for other files.
protocol FileReadRights: Sendable {
    /// - Throws: `APIError.forbidden` for a wrong or an expired signature.
    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool

    /// The `Cache-Control` of a file that only some clients may read; nil for a file that everyone who knows its name
    /// may read.
    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String?

    /// Looks in the users' spaces for a file that the gateway's own store does not have.
    /// - Returns: whether the gateway's own store has the file now.
    func find(_ name: String) async throws -> Bool
}

extension FileReadRights {
    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String? { nil }
    func find(_ name: String) async throws -> Bool { false }
}

/// The `Cache-Control` of a file that is not on the remote yet. The browser asks the gateway at each use, so that the
/// next user of the browser does not get the content from the cache.
private let untilNextRequest = "private, no-cache"

/// Finds the principal of a download, and asks the store for its rights.
struct FileReader: Sendable {
    let rights: any FileRights
    let keyCheck: KeyCheck

    /// Whether the name of a file is enough for the sender of a request to read it.
    func opens(_ file: StoredFile, to request: RoutedRequest) throws -> Bool {
        try rights.opens(file, for: principal(of: request))
    }

    /// Downloads need no key, so a master key in the request has not been checked before.
    private func principal(of request: RoutedRequest) -> Principal {
        guard request.principal == .public else { return request.principal }
        let keyed = try? keyCheck.principal(
            request.parse.credentials, isParse: false, isFromPage: true, peer: request.http.peer)
        return keyed ?? .public
    }
}

/// Lets everyone who knows the name of a file read it, except an unsent file of the users of a former site replica.
struct ReadersByName: FileReadRights {
    let reader: FileReader

    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool { try reader.opens(file, to: request) }
}

/// As `ReadersByName`, including a file on the remote that only the space of a user knows.
struct ReadersOfSharedFiles: FileReadRights {
    let reader: FileReader
    let spaces: any UserSpaces

    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool { try reader.opens(file, to: request) }

    func find(_ name: String) async throws -> Bool { try await spaces.shareFile(name) }
}

/// The rule for the files in a user's space: the user may read them, and so may everyone with a signed URL.
struct ReadersOfSpace: FileReadRights {
    let addresses: SignedAddresses

    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool { true }

    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String? {
        if let grant = try? addresses.grant(of: file.name, request.parse.parameters) {
            return "private, max-age=\(grant.rest.components.seconds)"
        }
        return file.remoteURL == nil ? untilNextRequest : nil
    }
}

/// The rule of a site replica for a file that is not on the remote yet. Only the session of its author, the master key
/// and a signed URL give the right to read it.
struct ReadersOfSite: FileReadRights {
    let reader: FileReader
    let addresses: SignedAddresses

    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool {
        if try reader.opens(file, to: request) { return true }
        return try addresses.isSigned(file.name, request.parse.parameters)
    }

    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String? {
        file.remoteURL == nil ? untilNextRequest : nil
    }
}
