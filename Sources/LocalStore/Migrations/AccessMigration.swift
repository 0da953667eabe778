import GRDB
import ParseModel
import StoreService

/// The migration for ACLs and permissions.
enum AccessMigration {
    /// `objects.acl` is the number of the object's ACL (`ACLTable`): 0 without an ACL, negative if everybody may read the object.
    /// It is the last column of the indexes on times, so that a query skips the objects that its principal may not read without
    /// reading their rows.
    ///
    /// `acls`: the distinct ACLs. A number is never used for another ACL. `acl_readers`: the readers of the ACLs that not everybody
    /// may read.
    ///
    /// `changes`: an entry stores the rights to read the object before and after the change. These are the ACLs, and
    /// the pointer fields that the permissions of the class compare with users. `rights_change` is the number of the
    /// change of rights that caused the entry; NULL if the object itself changed.
    ///
    /// `rights_changes`: the changes of class permissions and of the roles of users, with the state before the change: `permissions`
    /// of `class`, or `roles` by user. `number` is the number of the first entry of the change, `last` that of the last entry.
    /// `ends_positions`: whether the change concerns too many objects for an entry each, so that readers whose rights
    /// have changed must read the feed from its start. Entries from before the migration contain no rights, so the
    /// migration deletes them in a standalone file with ACLs or permissions.
    ///
    /// The migration fills the column `acl` of existing objects. A test of the view's text skips objects without an
    /// ACL.
    static let sql = """
        ALTER TABLE objects ADD COLUMN acl INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE acls (number INTEGER PRIMARY KEY AUTOINCREMENT, entries TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE acl_readers (
            entity TEXT NOT NULL,
            acl INTEGER NOT NULL,
            PRIMARY KEY (entity, acl)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX acl_readers_by_acl ON acl_readers (acl, entity);

        INSERT INTO acls (entries)
            SELECT DISTINCT entries FROM (\(found)) WHERE entries IS NOT NULL ORDER BY entries;
        INSERT INTO acl_readers (entity, acl)
            SELECT e.value, a.number FROM acls a, json_each(a.entries, '$.read') e WHERE NOT \(isPublic);
        UPDATE objects SET acl = a.number * CASE WHEN \(isPublic) THEN -1 ELSE 1 END
            FROM (\(found)) f JOIN acls a ON a.entries = f.entries WHERE objects.pk = f.pk;

        DROP INDEX objects_by_update;
        CREATE INDEX objects_by_update ON objects (class, updated_at, id, acl);
        DROP INDEX objects_by_creation;
        CREATE INDEX objects_by_creation ON objects (class, created_at, id, base_kind, acl);
        CREATE INDEX objects_by_acl ON objects (acl) WHERE acl > 0;

        ALTER TABLE changes ADD COLUMN acl_before INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE changes ADD COLUMN acl_after INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE changes ADD COLUMN pointers_before TEXT;
        ALTER TABLE changes ADD COLUMN pointers_after TEXT;
        ALTER TABLE changes ADD COLUMN rights_change INTEGER;
        CREATE TABLE rights_changes (
            number INTEGER PRIMARY KEY,
            class TEXT,
            permissions TEXT,
            roles TEXT,
            ends_positions INTEGER NOT NULL,
            last INTEGER NOT NULL
        ) STRICT;
        DELETE FROM changes WHERE (SELECT value FROM meta WHERE key = 'mode') = 'standalone'
            AND \(hasRights);
        INSERT INTO meta (key, value) SELECT '\(EffectiveRights.newKey)', '1'
            WHERE (SELECT value FROM meta WHERE key = 'mode') = 'standalone' AND \(hasRights);
        """

    private static let hasRights = """
        (EXISTS (SELECT 1 FROM acls) OR EXISTS (SELECT 1 FROM schemas WHERE permissions IS NOT NULL))
        """

    private static let found = """
        SELECT pk, \(ACLFunction.entries)(view) AS entries FROM objects WHERE instr(view, '"ACL":')
        """

    /// A condition for an ACL `a` that lets everybody read.
    private static let isPublic = "EXISTS (SELECT 1 FROM json_each(a.entries, '$.read') WHERE value = '*')"
}

/// The SQL function with which the migration reads ACLs.
enum ACLFunction {
    static let entries = "parse_acl_entries"

    /// Registers the function. Its argument is the JSON text of an object. Its result is the object's ACL in the form
    /// that `ACLTable` stores; NULL without an ACL. For an unreadable text, the result is an ACL without entries.
    static func register(in db: Database) {
        db.add(
            function: DatabaseFunction(entries, argumentCount: 1, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]) else { return nil }
                let fields = try? JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object
                return AccessControlList(fields.map { $0["ACL"] } ?? [:])?.stored
            })
    }
}
