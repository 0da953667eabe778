import ParseModel
import StoreService
import Testing

@testable import LocalStore

/// Figures about a database, read from its file without the store, while the store is open and while it is closed.
@Suite struct UnopenedFiguresTests {
    @Test func waitingChangesAreCountedWithoutOpeningTheStore() async throws {
        let directory = try TemporaryDirectory()
        let kind = LocalStoreKind()
        #expect(try kind.figures(in: directory.path) == nil)
        var store: LocalStore? = try LocalStore.make(.replica, in: directory)
        _ = try await store?.create(["text": "one"], of: "Note")
        let open = try #require(try await store?.figures())
        #expect(try kind.figures(in: directory.path) == open)
        #expect(open.pending == 1)
        store = nil
        #expect(try kind.figures(in: directory.path)?.pending == 1)
    }

    @Test func aStandaloneDatabaseHasNoSyncFigures() throws {
        let directory = try TemporaryDirectory()
        _ = try LocalStore.make(.standalone, in: directory)
        #expect(try LocalStoreKind().figures(in: directory.path) == nil)
    }
}
