import GRDB
import ParseModel

/// The table `live_classes`: the classes that live queries follow. The change feed stores the state of an object before
/// each change only for these classes.
struct LiveClasses {
    let db: Database

    /// An SQL condition: whether live queries follow the class ?1.
    static let isFollowed = "EXISTS (SELECT 1 FROM live_classes WHERE class = ?1)"

    func contains(_ className: String) throws -> Bool {
        try db.isTrue("SELECT \(Self.isFollowed)", [className])
    }

    /// Adds classes, or moves the time until which they stay.
    /// - Parameter newest: the newest number of the feed. The states of all later changes of a new class are stored.
    /// - Returns: for each class, the number after which the states of all changes are stored.
    func follow(_ classes: Set<String>, until end: ParseDate, after newest: Int64) throws -> [String: Int64] {
        var starts: [String: Int64] = [:]
        for name in classes.sorted() {
            try db.run(
                """
                INSERT INTO live_classes (class, since, until) VALUES (?1, ?2, ?3)
                ON CONFLICT (class) DO UPDATE SET until = max(until, ?3)
                """, [name, newest, end.milliseconds])
            starts[name] = try db.integer("SELECT since FROM live_classes WHERE class = ?", [name])
        }
        return starts
    }

    /// Drops the classes whose time has ended, and their stored states.
    func dropEnded(now: ParseDate) throws {
        let ended = try db.texts("SELECT class FROM live_classes WHERE until < ?", [now.milliseconds])
        for name in ended {
            try db.run("UPDATE changes SET before = NULL WHERE class = ? AND before IS NOT NULL", [name])
            try db.run("DELETE FROM live_classes WHERE class = ?", [name])
        }
    }

    /// The number after which the states of all changes of these classes are stored; nil if one of the classes is not in
    /// the table.
    func start(of classes: Set<String>) throws -> Int64? {
        let starts = try db.rows(
            "SELECT since FROM live_classes WHERE class IN (SELECT value FROM json_each(?))",
            [JSONValue.array(classes.sorted().map(JSONValue.string)).jsonText]
        ) { $0.integer(0) }
        return starts.count == classes.count ? starts.max() ?? 0 : nil
    }
}
