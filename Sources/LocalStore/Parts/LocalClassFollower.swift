import GRDB
import ParseModel
import StoreService

/// Copies the sync options of classes from the gateway's own store to the separate store of one user (the user's
/// space).
struct LocalClassFollower: ClassFollower {
    let transactions: Transactions

    func follow(_ classes: [SyncClass]) async throws -> [String] {
        var problems: [String] = []
        for known in classes {
            do {
                try await transactions.write { try Self.take(known, in: $0) }
            } catch let error as ParseError {
                problems.append("\(known.name) keeps its options: \(error.message)")
            }
        }
        let names = Set(classes.map(\.name))
        for name in try await transactions.read({ try FollowedClasses(in: $0).followed }).subtracting(names).sorted() {
            do {
                try await transactions.write { try Self.leave(name, in: $0) }
            } catch StoreError.notPossible(let reason) {
                problems.append("\(name) is still synced: \(reason)")
            }
        }
        return problems
    }

    private static func take(_ known: SyncClass, in transaction: StoreTransaction) throws {
        var followed = try FollowedClasses(in: transaction.db)
        guard !followed.own.contains(known.name) else { return }
        try ClassRegistration(known.name, in: transaction).configure { options, pulls in
            (options, pulls) = (known.options, known.pulls.map(\.pull))
        }
        if followed.followed.insert(known.name).inserted { try followed.save(in: transaction.db) }
    }

    private static func leave(_ name: String, in transaction: StoreTransaction) throws {
        var followed = try FollowedClasses(in: transaction.db)
        followed.followed.remove(name)
        if !followed.own.contains(name), try ClassTable(db: transaction.db).contains(name) {
            try ClassRegistration(name, in: transaction).end(purge: false, force: false)
        }
        try followed.save(in: transaction.db)
    }

    func setOwn(_ className: String, _ isOwn: Bool) async throws -> Bool {
        try await transactions.write { transaction in
            var classes = try FollowedClasses(in: transaction.db)
            guard classes.own.contains(className) != isOwn else { return false }
            if isOwn { classes.own.insert(className) } else { classes.own.remove(className) }
            try classes.save(in: transaction.db)
            return true
        }
    }
}

/// The names of the classes that a user's store copies from the gateway, and of those with options of their own. Stored
/// in `meta`.
private struct FollowedClasses {
    private static let followedKey = "followed_classes"
    private static let ownKey = "own_classes"

    /// The classes whose options are copied from the gateway's own store.
    var followed: Set<String>
    /// The classes whose options were set in the user's own store. They are not overwritten.
    var own: Set<String>

    init(in db: Database) throws {
        func names(_ key: String) throws -> Set<String> {
            let list = try Meta.value(of: key, in: db).flatMap { try? JSONReader.read($0).array }
            return Set((list ?? []).compactMap(\.string))
        }
        (followed, own) = (try names(Self.followedKey), try names(Self.ownKey))
    }

    func save(in db: Database) throws {
        for (key, names) in [(Self.followedKey, followed), (Self.ownKey, own)] {
            let list = JSONValue.array(names.sorted().map(JSONValue.string))
            try Meta.set(key, names.isEmpty ? nil : list.jsonText, in: db)
        }
    }
}
