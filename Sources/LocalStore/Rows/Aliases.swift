import GRDB
import ParseModel

/// The table `aliases`: earlier ids of objects. An alias is kept until the remote shows another object with this id.
struct Aliases {
    let db: Database

    /// The present id for an alias. Any other id is returned unchanged.
    func id(of className: String, _ objectId: String) throws -> String {
        try known(className, objectId) ?? objectId
    }

    /// The present id for an alias; nil if the id is not an alias.
    func known(_ className: String, _ alias: String) throws -> String? {
        try db.firstRow("SELECT id FROM aliases WHERE class = ? AND alias = ?", [className, alias]) { $0.text(0) }
    }

    /// The present id of the object with this alias, in any class; nil if there is no such object, or more than one.
    func onlyId(of alias: String) throws -> String? {
        let ids = try db.texts(
            "SELECT DISTINCT a.id FROM classes c JOIN aliases a ON a.class = c.name AND a.alias = ? LIMIT 2", [alias])
        return ids.count == 1 ? ids[0] : nil
    }

    /// All aliases of an object.
    func all(of object: Pointer) throws -> [String] {
        try db.texts("SELECT alias FROM aliases WHERE class = ? AND id = ?", [object.className, object.objectId])
    }

    func exist(in className: String) throws -> Bool {
        try db.isTrue("SELECT EXISTS (SELECT 1 FROM aliases WHERE class = ?)", [className])
    }

    /// Records that the remote's id has replaced a local id. The local id and its aliases become aliases of the remote's id.
    func rename(_ local: Pointer, to remoteId: String) throws {
        let className = local.className
        try db.run("UPDATE aliases SET id = ? WHERE class = ? AND id = ?", [remoteId, className, local.objectId])
        try db.run(
            "INSERT OR REPLACE INTO aliases (class, alias, id) VALUES (?, ?, ?)",
            [className, local.objectId, remoteId])
    }

    func drop(_ className: String, _ alias: String) throws {
        try db.run("DELETE FROM aliases WHERE class = ? AND alias = ?", [className, alias])
    }
}
