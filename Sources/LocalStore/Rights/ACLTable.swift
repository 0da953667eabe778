import GRDB
import ParseModel

/// The table `acls`: the distinct ACLs of all objects, each under a number.
///
/// The column `acl` of `objects` holds the number of the object's ACL: 0 without an ACL, and a negative number if everybody may
/// read the object. So a query for public objects reads no ACL.
struct ACLTable {
    let db: Database

    /// The value of the column `acl` for an ACL. Stores the ACL if it is new.
    func key(of acl: AccessControlList) throws -> Int64 {
        let text = acl.stored
        let sign: Int64 = acl.isPublic ? -1 : 1
        if let number = try db.integer("SELECT number FROM acls WHERE entries = ?", [text]) { return sign * number }
        try db.run("INSERT INTO acls (entries) VALUES (?)", [text])
        let number = db.lastInsertedRowID
        if !acl.isPublic {
            for reader in acl.readers {
                try db.run("INSERT INTO acl_readers (entity, acl) VALUES (?, ?)", [reader, number])
            }
        }
        return sign * number
    }

    /// The ACL for a value of the column `acl` other than 0. If the file has no ACL with the number, an ACL that gives no rights.
    func acl(_ key: Int64) throws -> AccessControlList {
        let text = try db.text("SELECT entries FROM acls WHERE number = ?", [abs(key)])
        return text.flatMap(AccessControlList.init(stored:)) ?? .ofNobody
    }
}

extension AccessControlList {
    /// The text in the column `entries`: `{"read":[…],"write":[…]}`. Equal ACLs have equal texts.
    var stored: String {
        let json: JSONObject = [
            "read": .array(readers.map(JSONValue.string)), "write": .array(writers.map(JSONValue.string)),
        ]
        return json.jsonText
    }

    /// Reads an ACL from the text in the column `entries`.
    /// - Returns: nil if the text does not have the form of `stored`.
    init?(stored text: String) {
        guard let json = try? JSONReader.read(text).object, let readers = json["read"]?.array,
            let writers = json["write"]?.array
        else { return nil }
        self.init(readers: readers.compactMap(\.string), writers: writers.compactMap(\.string))
    }
}
