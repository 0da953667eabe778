import GRDB
import ParseModel
import StoreService
import SyncModel

/// Chooses the changes and conflicts that a principal may list. `Authorship` makes it for a principal.
struct DecisionLister {
    /// The SQL condition on the column `identity`.
    let condition: String
    /// Whether the list names the authors.
    let showsAuthors: Bool

    private static let everything = "1"
    /// Everything, without authors.
    static let all = DecisionLister(condition: everything, showsAuthors: false)
    /// Everything, with the authors.
    static let allWithAuthors = DecisionLister(condition: everything, showsAuthors: true)
    static let nothing = DecisionLister(condition: "0", showsAuthors: false)

    /// Whether the list has the changes of all authors. Only then it has held removals: they name objects without a check of
    /// their ACLs.
    var isOfAll: Bool { condition == Self.everything }

    private init(condition: String, showsAuthors: Bool) {
        (self.condition, self.showsAuthors) = (condition, showsAuthors)
    }

    /// The list of one author, without the name.
    init(of author: SyncIdentity) { self.init(condition: "identity = \(author.key)", showsAuthors: false) }
}

extension ListedConflict {
    /// The conflict without the states and fields that a user may not read. The local state has the changes of other authors, too.
    func shown(by rules: AccessRules) -> ListedConflict {
        var conflict = self
        conflict.base = rules.shown(base, of: objectId)
        conflict.local = rules.shown(local, of: objectId)
        conflict.remote = rules.shown(remote, of: objectId)
        return conflict
    }
}

extension PendingChange {
    /// The change without the object that it deletes, as far as a user may not read it. The right to delete is not the right to read.
    func shown(by rules: AccessRules) -> PendingChange {
        var change = self
        change.base = rules.shown(base, of: objectId)
        return change
    }
}

extension AccessRules {
    /// A state of an object as the principal may read it; nil if the principal may not read it.
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
