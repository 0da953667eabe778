import HTTPServer
import ParseModel
import StoreService

/// Who may read a file whose name a request has. The name of a file on the remote is the right to read it.
protocol FileReadRights: Sendable {
    /// - Throws: `APIError.forbidden` for a wrong or an expired signature.
    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool

    /// The header `Cache-Control` of a content that not everybody with its name may read; nil for another.
    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String?

    /// Looks elsewhere in the gateway for a file that its store does not have.
    /// - Returns: whether the store has it now.
    func find(_ name: String) async throws -> Bool
}

extension FileReadRights {
    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool { true }
    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String? { nil }
    func find(_ name: String) async throws -> Bool { false }
}

/// The name must not give an unsent content to the next user of a browser.
private let untilNextRequest = "private, no-cache"

/// Everybody with the name may read a file.
struct ReadersByName: FileReadRights {}

/// Everybody with the name may read a file, also one of the remote that only the space of a user knows.
struct ReadersOfSharedFiles: FileReadRights {
    let spaces: any UserSpaces

    func find(_ name: String) async throws -> Bool { try await spaces.shareFile(name) }
}

/// The user of a space reads the files of the space, and everybody with a signed address.
struct ReadersOfSpace: FileReadRights {
    let addresses: SignedAddresses

    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String? {
        if let grant = try? addresses.grant(of: file.name, request.parse.parameters) {
            return "private, max-age=\(grant.rest.components.seconds)"
        }
        return file.remoteURL == nil ? untilNextRequest : nil
    }
}

/// A file that is not on the remote is for the session of its author, the master key and signed addresses.
struct ReadersOfSite: FileReadRights {
    let store: any FileStore
    let addresses: SignedAddresses
    let keyCheck: KeyCheck

    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool {
        guard try !store.rights.opens(file, for: reader(request)) else { return true }
        return try addresses.isSigned(file.name, request.parse.parameters)
    }

    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String? {
        file.remoteURL == nil ? untilNextRequest : nil
    }

    /// The principal of a download. The route needs no key, so the master key is not checked before.
    private func reader(_ request: RoutedRequest) -> Principal {
        guard request.principal == .public else { return request.principal }
        let keyed = try? keyCheck.principal(
            request.parse.credentials, isParse: false, isFromPage: true, peer: request.http.peer)
        return keyed ?? .public
    }
}
