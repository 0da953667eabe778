import GRDB
import ParseModel
import StoreService

extension RemoteNames {
    /// The remote's names of these things, as far as they differ from the names here or are known.
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
