import GRDB
import ParseModel
import StoreService
import SyncModel

/// Selects the changes and conflicts that a principal may list. `Authorship` creates the value.
struct DecisionLister {
    /// The SQL condition on the column `identity`.
    let condition: String
    /// Whether the list names the authors.
    let showsAuthors: Bool

    private static let everything = "1"
    /// Lists everything, without the authors.
    static let all = DecisionLister(condition: everything, showsAuthors: false)
    /// Lists everything, with the authors.
    static let allWithAuthors = DecisionLister(condition: everything, showsAuthors: true)
    static let nothing = DecisionLister(condition: "0", showsAuthors: false)

    /// Whether the changes of all authors are listed. Only then are held removals listed, too, because their objects
    /// are not checked by ACL.
    var isOfAll: Bool { condition == Self.everything }

    private init(condition: String, showsAuthors: Bool) {
        (self.condition, self.showsAuthors) = (condition, showsAuthors)
    }

    /// Lists the changes of one author, without the author's name.
    init(of author: AuthorKey) { self.init(condition: "identity = \(author.key)", showsAuthors: false) }
}

extension ListedConflict {
    /// The conflict without the states and fields that a user may not read. A check is needed because the local state
    /// can contain changes of other authors.
    func shown(by rules: AccessRules) -> ListedConflict {
        var conflict = self
        conflict.base = rules.shown(base, of: objectId)
        conflict.local = rules.shown(local, of: objectId)
        conflict.remote = rules.shown(remote, of: objectId)
        return conflict
    }
}

extension PendingChange {
    /// The change as a user may see it: for a deletion, the object's state without unreadable fields. A user with the
    /// right to delete an object may not have the right to read it.
    func shown(by rules: AccessRules) -> PendingChange {
        var change = self
        change.base = rules.shown(base, of: objectId)
        return change
    }
}

extension AccessRules {
    /// The JSON of an object's state without fields that the principal may not read; nil if the principal may not read the object.
    fileprivate func shown(_ text: String?, of objectId: String) -> String? {
        guard let text, let object = try? JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object else {
            return text
        }
        guard AccessControlList(object["ACL"])?.allowsReading(by: principal) != false else { return nil }
        switch verdict(on: .get, objectId) {
        case .allowed: break
        case .refused: return nil
        case .limited(let limit): guard limit.holdsForPointers(object, of: className) else { return nil }
        }
        let hidden = hiddenFields(in: objectId) { object }
        return hidden.isEmpty ? text : JSONObject(object.filter { !hidden.contains($0.key) }).jsonText
    }
}
