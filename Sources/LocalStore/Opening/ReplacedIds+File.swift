import GRDB
import StoreService

extension ReplacedIds {
    /// Finds strings in a replica's objects that are ids which the remote has replaced. Reads all strings of all
    /// objects.
    /// - Returns: nil if no replica has used the directory.
    init?(directory: String) throws {
        guard let found = try UnopenedFile.read(in: directory, of: .replica, Self.init(in:)) else { return nil }
        self = found
    }

    private init(in db: Database) throws {
        let places = try db.rows(
            """
            SELECT o.class, t.fullkey, o.pk FROM objects o, json_tree(o.view) t
            WHERE EXISTS (SELECT 1 FROM aliases) AND o.view IS NOT NULL AND t.type = 'text' AND t.key <> 'objectId'
                AND t.value IN (SELECT alias FROM aliases WHERE alias <> id)
            """, []
        ) { (className: $0.text(0), path: $0.text(1), key: $0.integer(2)) }
        var objects: [String: [String: Set<Int64>]] = [:]
        for place in places {
            objects[place.className, default: [:]][Self.field(ofPath: place.path), default: []].insert(place.key)
        }
        self.init(
            fields: objects.sorted { $0.key < $1.key }.flatMap { className, fields in
                fields.sorted { $0.key < $1.key }.map {
                    Field(className: className, name: $0.key, objects: $0.value.count)
                }
            })
    }

    /// The field at the beginning of a JSON path, for example `parts` of `$.parts[0].id`.
    private static func field(ofPath path: String) -> String {
        let rest = path.dropFirst("$.".count)
        if rest.first == "\"" { return String(rest.dropFirst().prefix { $0 != "\"" }) }
        return String(rest.prefix { $0 != "." && $0 != "[" })
    }
}
