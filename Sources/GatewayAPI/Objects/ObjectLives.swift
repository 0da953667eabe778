import HTTPServer
import ParseModel
import StoreService

/// Answers reads of an object with `_why=true`: the life of the object in plain lines.
struct ObjectLives: Sendable {
    let store: any ObjectStore
    /// The sync engine; nil in a standalone gateway.
    let control: (any SyncControl)?
    let threads: BlockingReads
    let responses: ResponseBuilder

    static func areAsked(by parameters: JSONObject) -> Bool { parameters.flag("_why") }

    func response(to request: RoutedRequest) async throws -> HTTPServerResponse {
        let (target, principal) = (try request.target, request.principal)
        var syncs = LifeLines.Syncs.none
        if let control { syncs = LifeLines.Syncs(try await control.status(as: .master).status) }
        let json = try await threads.run(.quick, for: request.http.client) { [store, syncs] in
            try LifeLines(of: target.className, target.objectId ?? "", in: store, as: principal, syncs).json
        }.get()
        return responses.json(json)
    }
}

extension LifeLines {
    /// Reads the life of an object from a store.
    /// - Parameter principal: the reader. A reader with restricted rights must be able to read the object.
    /// - Throws: `ParseError` 101 (object not found) or another denial, as for a read of the object; `StoreError`.
    package init(
        of className: String, _ objectId: String, in store: any ObjectStore, as principal: Principal,
        _ syncs: Syncs
    ) throws {
        var isDamaged = false
        do {
            let isReadable = try store.object(className, objectId, as: principal) != nil
            guard isReadable || !store.restrictsFeed(for: principal) else { throw ParseError.objectNotFound }
        } catch StoreError.damaged where !store.restrictsFeed(for: principal) {
            isDamaged = true
        }
        self.init(
            try store.history(of: className, objectId, as: principal), syncs, isDamaged: isDamaged,
            readersOfClass: principal.readsEverything
                ? try store.schemas.schema(of: className)?.permissions.flatMap(Self.readers) : nil)
    }

    /// The users, roles and pointer fields that permissions of a class allow to read by id; nil if everybody may.
    private static func readers(in permissions: JSONObject) -> [String]? {
        let get = permissions["get"]?.object ?? [:]
        guard get["*"] != true else { return nil }
        let fields =
            (get["pointerFields"]?.array ?? []) + (permissions["readUserFields"]?.array ?? [])
        return get.filter { $0.value == true }.map(\.key).sorted()
            + fields.compactMap(\.string).map { "the users in \($0)" }
    }
}
