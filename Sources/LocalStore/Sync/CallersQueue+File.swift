import GRDB
import ParseModel
import StoreService

extension CallersQueue {
    /// Counts the changes for which a forwarded call has to wait.
    /// - Parameters:
    ///   - number: the sequence number of the newest change that counts.
    ///   - things: the objects and files that the call names.
    ///   - caller: selects the changes and conflicts of the caller.
    init(upTo number: Int64, naming things: NamedThings, of caller: DecisionLister, in db: Database) throws {
        let count = { (condition: String) in
            try db.count(
                "SELECT count(*) FROM outbox WHERE \(condition) AND seq <= ? AND \(caller.condition)", [number])
        }
        let released = try Self.changesThatFree(things.accounts, upTo: number, besides: caller, in: db)
        let waiting = try count("\(OutboxTable.isWaiting) AND NOT \(Self.isDenied)") + released
        self.init(
            waiting: waiting, unacknowledged: try count(OutboxTable.isOfAny) + released,
            undecided: things.isEmpty ? nil : try Self.undecided(among: things, of: caller, in: db),
            waitsForOthers: try waiting > 0 && Self.waitsForOthers(upTo: number, of: caller, in: db))
    }

    /// A condition for pending changes that the remote last refused with code 101 (object not found). Such a change is
    /// sent again for some seconds, because a later attempt can succeed. Forwarded calls do not wait for it.
    private static let isDenied =
        "(phase = 'pending' AND code IS NOT NULL AND code = \(ParseError.Code.objectNotFound.rawValue))"

    /// The number of unsent changes of other authors that free a username or an e-mail address which the call sets for
    /// a user.
    private static func changesThatFree(
        _ accounts: Set<String>, upTo number: Int64, besides caller: DecisionLister, in db: Database
    ) throws -> Int {
        guard !accounts.isEmpty else { return 0 }
        let places = Array(repeating: "?", count: accounts.count).joined(separator: ", ")
        let names: SQLiteBindings = accounts.sorted()
        return try db.count(
            """
            SELECT count(*) FROM (SELECT * FROM outbox WHERE \(OutboxTable.isWaiting) AND NOT (\(caller.condition))) w
            WHERE w.seq <= ? AND \(UniqueValues.releasesAccount(places))
            """, [number] + names + names)
    }

    /// The first object that the call names and that needs a decision; nil if there is none. The caller has a rejected
    /// change or an open conflict about this object, or has changed it after a rejected or held change of another
    /// author.
    private static func undecided(
        among things: NamedThings, of caller: DecisionLister, in db: Database
    ) throws -> Pointer? {
        let changed = try db.rows(
            """
            SELECT DISTINCT class, id FROM outbox
            WHERE \(OutboxTable.isOfAny) AND \(caller.condition) AND EXISTS (
                SELECT 1 FROM outbox e WHERE e.class = outbox.class AND e.id = outbox.id AND e.seq <= outbox.seq
                    AND (e.phase IN ('rejected', 'held') OR \(Self.isDenied)))
            """
        ) { $0.pointer(0) }
        let undecided = try changed + ConflictTable(db: db).openObjects(of: caller)
        let aliases = Aliases(db: db)
        return try undecided.first { object in
            try ([object.objectId] + aliases.all(of: object)).contains { id in
                things.texts.contains(id)
                    || things.pointers.contains(Pointer(className: object.className, objectId: id))
            }
        }
    }

    /// Whether a change of the caller must wait for a change of another author: for an earlier change of the same
    /// object, or for the create of an object to which it points.
    private static func waitsForOthers(
        upTo number: Int64, of caller: DecisionLister, in db: Database
    ) throws -> Bool {
        let isOfOther = "e.identity <> o.identity AND e.phase IN \(OutboxTable.waitingPhases)"
        return try db.isTrue(
            """
            SELECT EXISTS (
                SELECT 1 FROM (SELECT * FROM outbox WHERE \(OutboxTable.isWaiting) AND seq <= ? AND \(caller.condition)) o
                WHERE EXISTS (SELECT 1 FROM outbox e
                        WHERE e.class = o.class AND e.id = o.id AND e.seq < o.seq AND \(isOfOther))
                    OR EXISTS (SELECT 1 FROM outbox_pointers p JOIN outbox e ON e.class = p.class AND e.id = p.id
                        WHERE p.seq = o.seq AND e.kind = 'create' AND \(isOfOther)))
            """, [number])
    }
}
