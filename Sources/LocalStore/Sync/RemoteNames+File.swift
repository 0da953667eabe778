import GRDB
import ParseModel
import StoreService

extension RemoteNames {
    /// Finds the remote's ids and file names for local ones. Ids and names that are unknown, or the same on the remote,
    /// are left out.
    init(of things: NamedThings, in db: Database) throws {
        self.init()
        let (aliases, files) = (Aliases(db: db), FileTable(db: db))
        for pointer in things.pointers {
            guard let id = try aliases.known(pointer.className, pointer.objectId) else { continue }
            pointers[pointer] = Pointer(className: pointer.className, objectId: id)
        }
        for text in things.texts {
            if let name = try files.presentName(of: text) ?? aliases.onlyId(of: text) { texts[text] = name }
        }
    }
}
