import ParseModel
import StoreService
import SyncModel

/// Starts, changes and ends the syncing of one class.
struct ClassRegistration {
    private let transaction: StoreTransaction
    private let className: String
    private let classes: ClassTable
    private let pullTable: PullTable

    init(_ className: String, in transaction: StoreTransaction) {
        self.transaction = transaction
        self.className = className
        classes = ClassTable(db: transaction.db)
        pullTable = PullTable(db: transaction.db, author: transaction.author)
    }

    /// Changes the options of a class, and the pulls of the transaction's author. A pull with changed conditions or
    /// keys starts from the beginning.
    func configure(_ change: (inout ClassOptions, inout [NamedPull]) throws -> Void) throws {
        try classes.ensure(className)
        let optionsBefore = try classes.options(of: className)
        let pullsBefore = try pullTable.pulls(of: className)
        var (options, pulls) = (optionsBefore, pullsBefore)
        let mappings = ClassMappings(db: transaction.db)
        let mappingBefore = try mappings.mapping(of: className)
        try change(&options, &pulls)
        if try usesStandardOpField(options) { options.opField = ClassOptions.opFieldStandard }
        try mappings.declare(options.mapping.fields, insteadOf: optionsBefore.mapping.fields, of: className)
        if options.opField != optionsBefore.opField {
            try changeOpField(from: optionsBefore.opField, to: options.opField)
        }
        let mapping = try mappings.mapping(of: className, declared: options.mapping)
        // After one of these changes, stored objects may lack fields or contain unconverted values, some objects may
        // not be stored, and objects that are marked as deleted may still be stored. The class is therefore pulled
        // again from the beginning.
        if options.deletedField != optionsBefore.deletedField
            || (optionsBefore.opField != nil && options.opField != optionsBefore.opField)
            || mapping != mappingBefore
            || pulls.contains(where: { $0.keys(with: optionsBefore) != $0.keys(with: options) })
        {
            try pullTable.beginAnew(className)
        }
        try classes.set(options, of: className)
        transaction.schemas.forget()
        if options.idFields != optionsBefore.idFields { try noteIds(in: options.idFields) }
        if options.files != optionsBefore.files {
            try FileTable(db: transaction.db).noteAgain(of: className, now: transaction.now)
        }
        for pull in pullsBefore where !pulls.contains(pull) { try pullTable.drop(pull, of: className) }
        for pull in pulls where !pullsBefore.contains(pull) { try pullTable.insert(pull, of: className) }
    }

    /// Makes unsent changes of the class wait for the creates of those objects whose ids are in their strings.
    private func noteIds(in idFields: IdFields) throws {
        for id in try OutboxTable(db: transaction.db).objectIds(of: className) {
            guard let object = try LocalObject(className, id, in: transaction.db) else { continue }
            for step in object.life.steps where !step.step.phase.isFrozen {
                if let seq = step.seq { try step.saveIds(in: idFields, seq, in: transaction.db) }
            }
        }
    }

    /// Selects the standard field for operation ids (`opField`) if the remote's class has this field. Called after a
    /// change of the remote's schema.
    func followSchema() throws {
        guard try classes.contains(className), try usesStandardOpField(classes.options(of: className)) else { return }
        // Without a change, `configure` only selects the field.
        try configure { _, _ in }
    }

    /// Whether the class uses the standard field for operation ids (`opField`) although no option names it: the
    /// remote's class has the field as an array, and no option rules it out.
    private func usesStandardOpField(_ options: ClassOptions) throws -> Bool {
        let (field, db) = (ClassOptions.opFieldStandard, transaction.db)
        guard options.opField == nil, !options.declinesOpField, options.deletedField != field,
            try db.isTrue("SELECT EXISTS (SELECT 1 FROM schemas WHERE class = ?)", [className]),
            try ClassSchema(inReplica: className, in: db)?[field]?.type == .array
        else { return false }
        return (try? OperationMarks(db: db).check(field, of: className, isText: false)) != nil
    }

    /// Changes the field for operation ids (`opField`). Deletes the stored ids of the old field. Removes the new field
    /// from the stored objects, and stores this replica's ids from it in `OperationMarks`.
    /// - Throws: `ParseError` 111 (incorrect type) if the new field contains values that are not operation ids.
    private func changeOpField(from old: String?, to new: String?) throws {
        let marks = OperationMarks(db: transaction.db)
        let isText = transaction.store.valueRules?.mapsValues(of: className) == true
        if let new { try marks.check(new, of: className, isText: isText) }
        if old != nil { try marks.drop(of: className) }
        guard let new else { return }
        for id in try marks.objectIds(of: className, with: new) {
            guard var object = try LocalObject(className, id, in: transaction.db) else { continue }
            let value = object.life.base?.fields[new] ?? .null
            let ids = (value.array ?? [value]).compactMap(\.string)
            object.life.base?.fields[new] = nil
            object.life.replay()
            try object.save(in: transaction)
            try marks.set(ids, of: className, id)
        }
    }

    /// Stops syncing the class.
    /// - Parameters:
    ///   - purge: whether to drop the objects of the class too; the remote keeps them.
    ///   - force: whether to drop changes that are not on the remote.
    /// - Throws: `StoreError.notFound` for an unknown class, and `StoreError.notPossible` if there are changes that are not on
    ///   the remote and `force` is false.
    func end(purge: Bool, force: Bool) throws {
        guard try classes.contains(className) else { throw StoreError.notFound(what: "class \(className)") }
        try dropPendingWork(of: OutboxTable(db: transaction.db).objectIds(of: className), force: force)
        if purge {
            try classes.purge(className, now: transaction.now)
            transaction.sessions.noteRemoval(of: className)
        }
        try ClassMappings(db: transaction.db).declare(
            [:], insteadOf: classes.options(of: className).mapping.fields, of: className)
        try classes.drop(className)
    }

    /// Drops objects of the class; the remote keeps them.
    /// - Parameters:
    ///   - objectIds: the objects to drop; nil for all. With nil, the pulls of the class start from the beginning.
    ///   - force: whether to drop changes that are not on the remote.
    /// - Returns: the number of dropped objects.
    /// - Throws: `StoreError.notPossible` if there are changes that are not on the remote and `force` is false.
    func purge(_ objectIds: [String]?, force: Bool) throws -> Int {
        let pending = try OutboxTable(db: transaction.db).objectIds(of: className)
        try dropPendingWork(of: objectIds.map { $0.filter(Set(pending).contains) } ?? pending, force: force)
        transaction.sessions.noteRemoval(of: className)
        guard let objectIds else {
            try pullTable.dropMembers(of: className)
            try pullTable.beginAnew(className)
            return try classes.purge(className, now: transaction.now, pointers: try pointers)
        }
        var count = 0
        for id in objectIds where try classes.holds(className, id) {
            try classes.evict(className, id, now: transaction.now, pointers: try pointers)
            count += 1
        }
        return count
    }

    /// The pointer fields by which permissions decide which objects a user may list.
    private var pointers: [String] { get throws { try transaction.pointersOfReads(of: className) } }

    private func dropPendingWork(of objectIds: [String], force: Bool) throws {
        guard objectIds.isEmpty || force else {
            throw StoreError.notPossible(
                reason: "\(objectIds.count) changed objects of \(className) are not on the remote yet")
        }
        for id in objectIds { try transaction.receive(.purged, className, id) }
    }
}
