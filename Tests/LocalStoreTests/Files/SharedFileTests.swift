import Foundation
import ParseModel
import StoreService
import Testing

@testable import LocalStore

/// Contents of remote files that a personal replica stores once for all users, in the directory of the gateway's own
/// store.
@Suite struct SharedFileTests {
    private let own: LocalStore
    private let users: LocalStore
    private let clock = TestClock()
    private static let url = "http://hub/files/demo/cat.png?signed=1"

    init() throws {
        let directory = try TemporaryDirectory()
        own = try LocalStore.make(.replica, in: directory, clock: clock) { $0.keepsRemoteFiles = true }
        users = try LocalStore.make(.replica, clock: clock) { $0.sharedDirectory = directory.path }
    }

    private func draft(_ text: String, in store: LocalStore) throws -> FileDraft {
        let draft = try store.draft()
        try Array(text.utf8).withUnsafeBytes { try draft.write($0) }
        return draft
    }

    private func content(of name: String, in store: LocalStore) throws -> String? {
        let path = try store.file(name, as: .master).flatMap(store.contentPath)
        return path.flatMap { FileManager.default.contents(atPath: $0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aSharedFileOfAUserHasTheContentOfTheGatewaysFile() async throws {
        #expect(try await users.sharedFiles.share("cat.png", at: Self.url)?.content == nil)
        #expect(try await own.sharedFiles.share("cat.png", at: Self.url) != nil)
        let kept = try await own.keepContent(try draft("meow", in: own), of: "cat.png", contentType: "image/png")
        let content = try #require(kept.content)
        try await users.sharedFiles.noteContent(content, of: "cat.png", contentType: "image/png")
        #expect(try self.content(of: "cat.png", in: users) == "meow")
        // A content that the gateway's store evicts is missing for the user, too. The next read fetches the content
        // again.
        try await own.evictContents(bytesMax: 0)
        #expect(try self.content(of: "cat.png", in: users) == nil)
        #expect(try users.file("cat.png", as: .master)?.remoteURL == Self.url)
    }

    /// A row may name any address, so one user could give a name another content.
    @Test func aFileOfTheSameNameAtAnotherAddressIsNotShared() async throws {
        _ = try await own.sharedFiles.share("cat.png", at: Self.url)
        #expect(try await own.sharedFiles.share("cat.png", at: "http://elsewhere/cat.png") == nil)
        // A signed URL changes with each answer of the remote.
        let renewed = "http://hub/files/demo/cat.png?signed=2"
        #expect(try await own.sharedFiles.share("cat.png", at: renewed)?.remoteURL == renewed)
        _ = try await own.addFile(
            try draft("mine", in: own), name: "own.txt", contentType: "text/plain", as: .master)
        #expect(try await own.sharedFiles.share("own.txt", at: Self.url) == nil)
    }

    @Test func filesSharedWithUsersAreKeptWithoutAReference() async throws {
        _ = try await own.sharedFiles.share("cat.png", at: Self.url)
        _ = try await users.sharedFiles.share("cat.png", at: Self.url)
        _ = try await own.addFile(
            try draft("mine", in: own), name: "own.txt", contentType: "text/plain", as: .master)
        clock.advance(.seconds(7 * 86_400))
        #expect(try await own.collectFiles(grace: .seconds(86_400)) == 1)
        #expect(try own.file("cat.png", as: .master) != nil)
        #expect(try await users.collectFiles(grace: .seconds(86_400)) == 1)
    }
}
