import LocalStore
import ParseModel
import StoreService

/// Checks that an answer of a replica contains no object or value that the user may not read.
struct ReadCheck: Sendable {
    let replica: PeopleReplica
    let server: PeopleServer
    let beliefs: PeopleBeliefs

    /// Checks the objects in an answer, including the objects that they contain because of `include`.
    /// - Parameters:
    ///   - className: the class of the list or of the object.
    ///   - isWholeList: whether the answer must have all objects that the user may read.
    func check(_ answer: PeopleReplica.Answer, of className: String, to userId: String, isWholeList: Bool) {
        guard answer.isSuccess, let json = answer.json else { return }
        let objects = json["results"]?.array?.compactMap(\.object) ?? [json]
        check(objects, of: className, to: userId, isWholeList: isWholeList)
    }

    func check(_ objects: [JSONObject], of className: String, to userId: String, isWholeList: Bool = false) {
        switch replica.product {
        case .site: checkBySite(objects, className, userId, isWholeList: isWholeList)
        case .personal: for object in objects { checkByHistory(object, userId) }
        }
    }

    private static func included(in object: JSONObject) -> JSONObject? {
        object[ServerHistory.pointerField]?.object.flatMap { $0["__type"]?.string == "Object" ? $0 : nil }
    }

    // MARK: Site

    private func checkBySite(
        _ objects: [JSONObject], _ className: String, _ userId: String, isWholeList: Bool
    ) {
        do {
            if let store = replica.stores?.own, try store.people.roles(of: userId).contains(PeopleServer.lastingRole),
                !server.hasGiven(PeopleServer.lastingRole, to: userId)
            {
                beliefs.addFinding("\(userId) has a role that the server has never given")
            }
            let disputed = try disputed(className)
            checkDisputed(
                objects.filter { $0["objectId"]?.string.map(disputed.contains) == true }, of: className, userId)
            let shown = Set(objects.compactMap { $0["objectId"]?.string }).subtracting(disputed)
            let allowed = try allowed(className, userId).subtracting(disputed)
            let extra = shown.subtracting(allowed).sorted()
            if !extra.isEmpty { beliefs.addFinding("\(userId) is shown \(className) \(extra) against the ACL") }
            let missing = allowed.subtracting(shown).sorted()
            if isWholeList, !missing.isEmpty {
                beliefs.addFinding("\(userId) is not shown \(className) \(missing), and may read them")
            }
            let places = objects.compactMap(Self.included).compactMap { $0["objectId"]?.string }
            guard !places.isEmpty else { return }
            let hidden = try Set(places).subtracting(self.allowed("Place", userId)).subtracting(self.disputed("Place"))
                .sorted()
            if !hidden.isEmpty { beliefs.addFinding("an include shows \(userId) \(hidden) against the ACL") }
        } catch {
            beliefs.addFinding("the objects of the site cannot be read: \(error)")
        }
    }

    /// The ids of the objects with a rejected change or an open conflict. Their ACLs in the replica do not decide who
    /// may read them.
    private func disputed(_ className: String) throws -> Set<String> {
        guard let store = replica.stores?.own else { return [] }
        return Set(
            try store.objects.find(className, ParseQuery(limit: 10_000), as: .master).objects
                .filter { [.conflict, .rejected].contains($0.state) }.map(\.objectId))
    }

    /// Checks that a rejected change, or a change in an open conflict, has not given a user the right to read an object
    /// of the server. Not checked if another pending change, or a role whose loss the replica has not read yet, may
    /// have given this right.
    private func checkDisputed(_ objects: [JSONObject], of className: String, _ userId: String) {
        guard let store = replica.stores?.own else { return }
        let waiting = Set(((try? store.decisions.pendingChanges(as: .master)) ?? []).map(\.objectId))
        let user = UserRegister.principal(userId, in: store)
        for object in objects {
            guard let title = object["title"]?.string, let id = object["objectId"]?.string,
                let there = try? server.store.objects.object(className, id, as: .master),
                !title.hasSuffix("-\(userId)"), !server.hasShown(title, to: userId), !waiting.contains(id),
                let acl = AccessControlList((try? there.fields(of: className))?["ACL"]), !acl.allowsReading(by: user)
            else { continue }
            beliefs.addFinding("\(userId) is shown \(title) by a change that does not count")
        }
    }

    /// The ids of the objects in the replica's store that a user may read, according to the ACLs and roles in the
    /// store.
    private func allowed(_ className: String, _ userId: String) throws -> Set<String> {
        guard let store = replica.stores?.own else { return [] }
        let user = UserRegister.principal(userId, in: store)
        return Set(
            try store.objects.find(className, ParseQuery(limit: 10_000), as: .master).objects.filter { object in
                AccessControlList(try object.fields(of: className)["ACL"])?.allowsReading(by: user) != false
            }.map(\.objectId))
    }

    // MARK: Personal

    private func checkByHistory(_ object: JSONObject, _ userId: String) {
        for fact in ShownObject.facts(of: object) + (Self.included(in: object).map(ShownObject.facts) ?? [])
        where !fact.hasSuffix("-\(userId)") && !server.hasShown(fact, to: userId) {
            beliefs.addFinding("\(userId) is shown \(fact), which the server has never shown this user")
        }
    }
}
