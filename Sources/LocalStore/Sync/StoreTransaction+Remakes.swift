import GRDB
import ParseModel
import SyncModel

/// Objects that were deleted on the remote and are made again, by several replicas perhaps.
extension StoreTransaction {
    /// The object as the remote had it when it was last known to be there; nil where that is not kept.
    static func ancestor(_ className: String, _ objectId: String, in db: Database) throws -> ObjectState? {
        let text = try String.fetchOne(
            db,
            sql: """
                SELECT base FROM conflicts WHERE class = ? AND object_id = ? AND kind = 'deletedRemotely'
                    AND resolution IS NOT NULL AND base IS NOT NULL ORDER BY id DESC LIMIT 1
                """, arguments: [className, objectId])
        return try text.flatMap { try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object }
            .flatMap(ObjectState.init(json:))
    }

    /// Another replica has made the object again. This one becomes the same object. The changes made here since the deletion meet
    /// those of the other replica, by the class's policy.
    func takeOver(
        _ object: inout LocalObject, at index: Int, _ record: RemoteRecord, _ rebase: Rebase
    ) throws {
        // Without its earlier state every field is compared.
        let ancestor =
            try Self.ancestor(object.className, object.objectId, in: db)
            ?? ObjectState(createdAt: record.createdAt, updatedAt: record.createdAt, fields: JSONObject())
        let changes = Self.changes(since: ancestor.fields, by: object.steps[index].step.operations)
        object.steps[index].step.operations = Self.missing(in: record.fields, of: changes)
        object.steps[index].step.kind = .update
        object.steps[index].step.phase = .pending
        object.steps[index].step.wasAttempted = false
        object.steps[index].step.mayBeTaken = false
        object.steps[index].step.isMadeAgain = false
        if object.steps[index].step.operations.isEmpty || object.steps.last?.step.kind == .delete {
            try object.dropStep(at: index, in: self)
        } else {
            try object.saveStep(at: index, in: self)
        }
        object.base = ancestor
        object.baseIsProvisional = false
        if record.objectId != object.objectId { try adopt(record.objectId, by: &object, keepsBase: true) }
        object.replay()
        try object.save(in: self)
        try noteNews(of: record)
        _ = try apply([.upsert(record)], of: record.className, rebase: rebase)
        object = try LocalObject(record.className, record.objectId, in: db) ?? object
        // It may have changed since it was read.
        object.baseIsProvisional = true
    }

    /// The object is there under its own id: the question which other one it is ends.
    func endQuestionOfRemake(_ object: inout LocalObject) throws {
        guard let index = object.steps.firstIndex(where: \.isUnsentRemake),
            object.steps[index].step.phase == .held, try openConflictKind(of: object) == .ambiguousCreate
        else { return }
        try closeConflicts(of: &object, resolution: "superseded")
        object.steps[index].step.wasAttempted = false
        try object.saveStep(at: index, in: self)
    }

    /// A create as a change of the object as it was.
    private static func changes(since ancestor: JSONObject, by create: FieldOperations) -> FieldOperations {
        var changes = create
        for field in create.fields where create[field] == ancestor[field].map(FieldOperation.set) {
            changes[field] = nil
        }
        for (field, value) in ancestor where create[field] == nil {
            if case .relation = FieldType(of: value) { continue }
            changes[field] = .delete
        }
        return changes
    }

    /// The changes that the row does not have yet.
    private static func missing(in row: JSONObject, of changes: FieldOperations) -> FieldOperations {
        var missing = changes
        for field in changes.fields where changes[field] == row[field].map(FieldOperation.set) ?? .delete {
            missing[field] = nil
        }
        return missing
    }
}

extension LocalObject.Step {
    /// It makes an object again, and no request has gone out for that.
    var isUnsentRemake: Bool { step.kind == .create && step.isMadeAgain && attempts == 0 }
}
