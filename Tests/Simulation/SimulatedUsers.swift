import LocalStore
import ParseModel
import StoreService
import Synchronization

/// The actions of users at a replica or on the server, for example creates, edits and deletions. The ledger records
/// each write, and whether it was acknowledged.
final class SimulatedUsers: Sendable {
    let ledger = Mutex(Ledger())
    private let shared: ClassSettings.Shared
    private let random: PartyRandom
    private let trace: Trace
    private let kind: SeedKind
    private let hasLargeRows: Bool
    /// The forms that users have open, in runs of kind `openForms`; nil in other runs.
    private let forms: OpenForms?
    private let number = Mutex(0)
    /// By party (a replica or the server), the title of the object that its users wrote last.
    private let latest = Mutex<[String: String]>([:])
    /// Makes the outcomes of creates hard to find out, in runs of kind `creates`; nil in other runs.
    let unknownCreates = Mutex<UnknownCreates?>(nil)

    init(
        shared: ClassSettings.Shared, random: PartyRandom, hasLargeRows: Bool, trace: Trace, kind: SeedKind,
        forms: OpenForms?
    ) {
        self.hasLargeRows = hasLargeRows
        self.forms = forms
        self.shared = shared
        self.random = random
        self.trace = trace
        self.kind = kind
    }

    /// The user who acts in the present task. Except in runs of kind `site`, users act with the master key.
    @TaskLocal static var reader = Principal.master
    /// Choose the user of the next action at a replica, and the ACL of a new object. Nil except in runs of kind `site`.
    let chooseReader = Mutex<(@Sendable (_ store: LocalStore) -> Principal)?>(nil)
    let chooseACL = Mutex<(@Sendable (_ author: String?) -> JSONValue?)?>(nil)

    /// The title prefix of objects that no user deletes.
    static let permanentTitlePrefix = "stock"

    /// Whether new objects contain a long text in the run with this seed.
    static func hasLargeRows(_ seed: UInt64) -> Bool { PartyRandom(seed: seed, of: "rows").chance(0.15) }

    private enum Action { case create, set, count, point, mark, relate, attach, delete, undo }

    /// Executes a write. Throws if no answer arrives or the answer is an error.
    typealias Write = @Sendable (WriteRequest) async throws -> Void

    /// Performs one random action.
    /// - Parameters:
    ///   - party: the name of the replica, or `server` for a user on the server.
    ///   - store: the store that the user reads from.
    ///   - undo: undoes a pending change; nil on the server, which has no pending changes.
    ///   - isCorrection: whether to edit or delete the object that users of this party wrote last, instead of a random action.
    func act(
        as party: String, seeing store: LocalStore, write: Write, undo: (@Sendable () async -> Void)? = nil,
        isCorrection: Bool = false
    ) async {
        let objects = visibleObjects(in: store)
        if isCorrection {
            let title = latest.withLock { $0[party] }
            guard let object = objects.first(where: { $0.title == title }) else { return }
            await act(random.chance(0.8) ? .set : .delete, on: object, among: objects, as: party, write, undo)
            return
        }
        let isDone = await forms?.act(
            as: party, among: objects, users: self,
            mayDelete: {
                !$0.title.hasPrefix(Self.permanentTitlePrefix)
                    && (undo != nil || shared.deletedField(of: $0.className) == nil)
            },
            write)
        if isDone == true { return }
        let actions: [(Action, weight: Int)] = [
            (.create, objects.count < 12 ? 30 : 4), (.set, 30), (.count, 25), (.point, 12),
            (.mark, kind.speaksDatasync ? 0 : 10),
            (.relate, kind == .relations ? 40 : kind.hasTables ? 0 : 7),
            (.attach, kind.hasTables ? 0 : 4), (.delete, 7),
            (.undo, undo == nil ? 0 : 2),
        ]
        let action = random.pick(weighted: actions) ?? .create
        if action == .undo {
            await undo?()
            return
        }
        guard action != .create, let object = random.pick(objects) else {
            await create(party, objects, write)
            return
        }
        if action == .attach {
            await attach(to: object, in: store, as: party, write)
            return
        }
        await act(action, on: object, among: objects, as: party, write, undo)
    }

    /// Uploads a file and sets it on the object.
    private func attach(to object: VisibleObject, in store: LocalStore, as party: String, _ write: Write) async {
        let content = uniqueValue(party)
        let name = "\(content).txt"
        do {
            let draft = try store.objects.files.draft()
            try Array(content.utf8).withUnsafeBytes { try draft.write($0) }
            _ = try await store.objects.files.addFile(draft, name: name, contentType: "text/plain", as: Self.reader)
        } catch {
            trace.note("\(party) cannot upload \(name)")
            return
        }
        await perform(
            party, object.title, [.attach(content: content)],
            .update(
                className: object.className, objectId: object.objectId,
                body: [ServerHistory.fileField: ["__type": "File", "name": .string(name)]]), write)
    }

    /// Performs one random action on the given object: sets a field, increments the counter, or deletes the object.
    func act(as party: String, on objectId: String, seeing store: LocalStore, write: Write) async {
        let objects = visibleObjects(in: store)
        guard let object = objects.first(where: { $0.objectId == objectId }) else { return }
        let actions: [(Action, weight: Int)] = [(.set, 3), (.count, 3), (.delete, 2)]
        await act(random.pick(weighted: actions) ?? .set, on: object, among: objects, as: party, write, nil)
    }

    /// Deletes the given object, if the store shows it and the run allows its deletion.
    func delete(_ objectId: String, as party: String, seeing store: LocalStore, write: Write) async {
        let objects = visibleObjects(in: store)
        guard let object = objects.first(where: { $0.objectId == objectId }) else { return }
        await act(.delete, on: object, among: objects, as: party, write, nil)
    }

    /// Sets unique values in fields that the ledger does not check.
    func rewrite(
        _ fields: [String], as party: String, on objectId: String, seeing store: LocalStore, write: Write
    ) async {
        guard let object = visibleObjects(in: store).first(where: { $0.objectId == objectId }) else { return }
        let body = JSONObject(fields.map { ($0, .string(uniqueValue(party))) })
        await perform(
            party, object.title, [], .update(className: object.className, objectId: objectId, body: body), write)
    }

    /// Creates an object with random values.
    func create(as party: String, seeing store: LocalStore, write: Write) async {
        await create(party, visibleObjects(in: store), write)
    }

    private func act(
        _ action: Action, on object: VisibleObject, among objects: [VisibleObject], as party: String, _ write: Write,
        _ undo: (@Sendable () async -> Void)?
    ) async {
        func update(_ operations: [Ledger.Operation], _ body: JSONObject, seeing seen: VisibleObject? = nil) async {
            await perform(
                party, object.title, operations,
                .update(className: object.className, objectId: object.objectId, body: body), write, seeing: seen)
        }
        switch action {
        case .set:
            let field = random.chance(0.7) ? "a" : "b"
            var value = uniqueValue(party)
            // Only users of replicas set values with `poisonPrefix`, because the server fails on the prefix only in requests
            // from replicas. On the server, `undo` is nil.
            if kind == .failingWrites, undo != nil, random.chance(0.15) { value = SeedKind.poisonPrefix + value }
            await update([.set(field: field, value: value)], [field: .string(value)], seeing: object)
        case .count:
            if kind.speaksDatasync { return await update([.increment], ["n": Self.increment]) }
            let mark = uniqueValue(party)
            let add = random.chance(0.5) ? "Add" : "AddUnique"
            await update(
                [.count(mark: mark)],
                ["n": Self.increment, "log": ["__op": .string(add), "objects": [.string(mark)]]])
        case .point:
            guard let target = random.pick(objects.filter(mayBePointedTo)) else { return }
            await update(
                [.point(to: target.title, id: target.objectId)],
                ["ref": Pointer(className: target.className, objectId: target.objectId).json])
        case .mark:
            let mark = uniqueValue(party)
            let operation = random.chance(0.5) ? "Add" : "Remove"
            await update(
                [.count(mark: mark)],
                [
                    "marks": ["__op": .string(operation), "objects": [.string(random.pick(["x", "y"]) ?? "x")]],
                    "n": Self.increment, "log": ["__op": "Add", "objects": [.string(mark)]],
                ])
        case .relate: await relate(among: objects, as: party, write)
        case .delete: await delete(object, as: party, write)
        case .create, .attach, .undo: break
        }
    }

    private static let increment: JSONValue = ["__op": "Increment", "amount": 1]

    /// Adds a `Place` object to the relation `friends` of a `Note` object, or removes it.
    private func relate(among objects: [VisibleObject], as party: String, _ write: Write) async {
        guard let owner = random.pick(objects.filter { $0.className == "Note" }),
            let member = random.pick(objects.filter { $0.className == "Place" })
        else { return }
        let joins = random.chance(0.7)
        let operation = joins ? "AddRelation" : "RemoveRelation"
        let pointer = Pointer(className: "Place", objectId: member.objectId)
        await perform(
            party, owner.title, [.relate(member: member.title, isMember: joins)],
            .update(
                className: "Note", objectId: owner.objectId,
                body: ["friends": ["__op": .string(operation), "objects": [pointer.json]]]), write)
    }

    private func delete(_ object: VisibleObject, as party: String, _ write: Write) async {
        guard !object.title.hasPrefix(Self.permanentTitlePrefix) else { return }
        var request = WriteRequest.delete(className: object.className, objectId: object.objectId)
        // Users on the server delete an object by setting the `deletedField` of its class, if the class has one.
        if party == SimulatedServer.name, let field = shared.deletedField(of: object.className) {
            request = .update(className: object.className, objectId: object.objectId, body: [field: true])
        }
        await perform(party, object.title, [.delete], request, write, seeing: object)
    }

    private func create(_ party: String, _ objects: [VisibleObject], _ write: Write) async {
        let title = uniqueValue(party)
        var body: JSONObject = ["title": .string(title), "n": 0]
        if !kind.speaksDatasync { body["log"] = [] }
        if random.chance(0.4), let target = random.pick(objects.filter(mayBePointedTo)) {
            body["ref"] = Pointer(className: target.className, objectId: target.objectId).json
        }
        if let acl = chooseACL.withLock({ $0 })?(Self.reader.user?.objectId) { body["ACL"] = acl }
        if hasLargeRows { body["text"] = .string(String(repeating: "\(title) ", count: 60)) }
        let className = random.pick(SimulatedReplica.classes) ?? "Note"
        if let unknownCreates = unknownCreates.withLock({ $0 }) {
            body = unknownCreates.ambiguousBody(body, titled: title, among: objects, by: party)
        }
        var operations: [Ledger.Operation] = [.create]
        let target = body[ServerHistory.pointerField].flatMap(Pointer.init)
        if let target = objects.first(where: { $0.objectId == target?.objectId }) {
            operations.append(.point(to: target.title, id: target.objectId))
        }
        await perform(party, title, operations, .create(className: className, body: body), write)
    }

    func perform(
        _ party: String, _ title: String, _ operations: [Ledger.Operation], _ request: WriteRequest, _ write: Write,
        seeing object: VisibleObject? = nil
    ) async {
        latest.withLock { $0[party] = title }
        var seen: [String: String] = [:]
        for field in ServerHistory.setFields { seen[field] = object?.fields[field]?.string }
        var isDone = true
        var isNever = false
        do {
            try await write(request)
        } catch {
            isDone = false
            isNever = error is OnceWrites.NeverExecuted
        }
        trace.note(
            "\(party) \(request.short) of \(title)\(object == nil ? "" : ", seeing \(seen.sorted { $0.key < $1.key })"): "
                + (isDone ? "done" : "not done"))
        for operation in operations {
            ledger.withLock {
                $0.add(
                    Ledger.Entry(
                        party: party, title: title, operation: operation, isAcknowledged: isDone, atMs: trace.nowMs,
                        seen: seen, author: Self.reader.user?.objectId, promise: isNever ? .neverExecuted : nil))
            }
        }
    }

    /// Whether a pointer may have this object as its target. In a table, a pointer always has the class that the
    /// mapping declares.
    private func mayBePointedTo(_ object: VisibleObject) -> Bool {
        !kind.speaksDatasync || object.className == TableColumns.pointerTarget
    }

    /// A value that no other write uses.
    func uniqueValue(_ party: String) -> String {
        number.withLock { number in
            number += 1
            return "\(party)-\(number)"
        }
    }

    // MARK: Visible objects

    struct VisibleObject: Sendable {
        let className: String
        let objectId: String
        let title: String
        let fields: JSONObject

        var createdAt: String { fields["createdAt"]?.string ?? "" }
    }

    /// The id of the object that was created last.
    func newest(in store: LocalStore) -> String? {
        visibleObjects(in: store).max { $0.createdAt < $1.createdAt }?.objectId
    }

    func visibleObjects(in store: LocalStore) -> [VisibleObject] {
        SimulatedReplica.classes.flatMap { className -> [VisibleObject] in
            let found = try? store.objects.find(className, ParseQuery(limit: 10_000), as: Self.reader)
            return (found?.objects ?? []).compactMap { object in
                guard let fields = try? JSONReader.read(object.json).object, let title = fields["title"]?.string,
                    shared.deletedField(of: className).map({ fields[$0] == true }) != true
                else { return nil }
                return VisibleObject(className: className, objectId: object.objectId, title: title, fields: fields)
            }
        }
    }
}

extension WriteRequest {
    fileprivate var short: String {
        switch self {
        case .create(let className, _, _): "POST \(className)"
        case .update(let className, let objectId, let body, _): "PUT \(className)/\(objectId) \(body.jsonText)"
        case .delete(let className, let objectId, _): "DELETE \(className)/\(objectId)"
        }
    }
}
