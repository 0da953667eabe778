import HTTPServer
import ParseModel
import StoreService

/// Decides who may read a file by its name. A file on the remote is readable by everybody who knows its name.
protocol FileReaders: Sendable {
    /// - Throws: `APIError.forbidden` for a wrong or an expired signature.
    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool

    /// The header `Cache-Control` of a content that not everybody with its name may read; nil for another.
    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String?

    /// Looks elsewhere in the gateway for a file that its store does not have.
    /// - Returns: whether the store has it now.
    func find(_ name: String) async throws -> Bool
}

extension FileReaders {
    func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool { true }
    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String? { nil }
    func find(_ name: String) async throws -> Bool { false }
}

/// The name must not give an unsent content to the next user of a browser.
private let untilNextRequest = "private, no-cache"

/// Lets every client read a file whose name it knows. For a standalone gateway and a replica without users.
struct ReadersByName: FileReaders {}

/// Lets every client read a file whose name it knows, also a file of the remote that only a user's space has. For the gateway's
/// own data in a personal replica.
struct ReadersOfSharedFiles: FileReaders {
    let spaces: any UserSpaces

    func find(_ name: String) async throws -> Bool { try await spaces.shareFile(name) }
}

/// Lets the user of a space read all files of the space, and other clients those for which they have a signed address.
struct ReadersOfSpace: FileReaders {
    let addresses: SignedAddresses

    func cacheControl(of file: StoredFile, _ request: RoutedRequest) -> String? {
        if let grant = try? addresses.grant(of: file.name, request.parse.parameters) {
            return "private, max-age=\(grant.rest.components.seconds)"
        }
        return file.remoteURL == nil ? untilNextRequest : nil
    }
}

/// Lets only the author, the master key and holders of a signed address read a file that is not on the remote yet. For a site
/// replica.
struct ReadersOfSite: FileReaders {
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
