import GRDB
import ParseModel
import StoreService

/// Lists the fields with values that are unique on a Parse Server: names of roles and users, e-mail addresses, and the
/// ids of installations. The server accepts such a value only after the object that had it was deleted or changed. So
/// the requests are sent in the order of the local writes.
enum UniqueValues {
    private static let fields: [(className: String, field: String)] = [
        ("_Role", "name"), ("_User", "username"), ("_User", "email"), ("_Installation", "installationId"),
        ("_Installation", "deviceToken"),
    ]

    /// A condition on the row `o` of the outbox: this change sets a unique value that another object still has on the
    /// remote. An earlier local change of the other object frees the value, and the remote has not acknowledged that
    /// change yet.
    static let waitForRelease: String = {
        let taken = fields.map { className, field in
            """
            w.class = '\(className)' AND \(given(field, by: "o")) = \(kept(field)) COLLATE NOCASE AND \(isTaken(field))
            """
        }
        return """
            o.class IN ('_Role', '_User', '_Installation') AND o.kind <> 'delete' AND EXISTS (
                SELECT 1 FROM outbox w LEFT JOIN objects b ON b.class = w.class AND b.id = w.id
                WHERE w.class = o.class AND w.seq < o.seq AND w.id <> o.id AND w.kind <> 'create'
                    AND w.phase IN ('pending', 'inFlight', 'unknown', 'held')
                    AND (\(taken.joined(separator: " OR "))))
            """
    }()

    /// A condition on the row `w` of the outbox: this change frees a username or an e-mail address of a user.
    /// - Parameter places: placeholders for the names and addresses, separated by commas. Their values are bound once
    ///   for each of the two fields.
    static func releasesAccount(_ places: String) -> String {
        let taken = ["username", "email"].map { field in
            "\(kept(field)) COLLATE NOCASE IN (\(places)) AND \(isTaken(field))"
        }
        return """
            w.class = '_User' AND w.kind <> 'create' AND EXISTS (
                SELECT 1 FROM (SELECT 1) LEFT JOIN objects b ON b.class = w.class AND b.id = w.id
                WHERE \(taken.joined(separator: " OR ")))
            """
    }

    private static func isTaken(_ field: String) -> String {
        "(w.kind = 'delete' OR json_type(w.operations, '$.\(field)') IS NOT NULL)"
    }

    private static func given(_ field: String, by step: String) -> String {
        "json_extract(\(step).operations, '$.\(field)')"
    }

    /// The SQL for the value of a field of the object `b`: in the last known remote state, or in the pending create of
    /// the object.
    private static func kept(_ field: String) -> String {
        """
        coalesce(json_extract(coalesce(b.base, b.view), '$.\(field)'), (
            SELECT \(given(field, by: "c")) FROM outbox c WHERE c.class = w.class AND c.id = w.id AND c.kind = 'create'))
        """
    }
}
