import GRDB

/// The value of the setting `people`, as stored in `meta`.
enum PeopleMode {
    private static let key = "people"
    private static let wasSiteKey = "was_site"

    /// The value of the setting when the store was last opened; nil if none was stored.
    static func stored(in db: Database) throws -> String? { try Meta.value(of: key, in: db) }

    static func set(_ mode: String, in db: Database) throws {
        if try wasSite(db) { try Meta.set(wasSiteKey, "true", in: db) }
        try Meta.set(key, mode, in: db)
    }

    /// Whether the store was ever opened with the setting `site`.
    static func wasSite(_ db: Database) throws -> Bool {
        try stored(in: db) == "site" || Meta.value(of: wasSiteKey, in: db) != nil
    }
}
