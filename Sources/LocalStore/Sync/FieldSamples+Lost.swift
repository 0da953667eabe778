import ParseModel
import SyncModel

extension FieldSamples {
    /// The fields that the remote has dropped, sorted. A field counts as dropped if the last known remote state of an
    /// object has it, and the object's row with the same `updatedAt` lacks it.
    func lostFields(in records: [RemoteRecord]) throws -> [String] {
        var lost: Set<String> = []
        for record in records {
            guard let object = try LocalObject(record.className, record.objectId, in: db),
                let base = object.life.base, !object.life.baseIsProvisional, base.updatedAt == record.updatedAt
            else { continue }
            for (field, value) in base.fields where !value.isNull && record.fields[field] == nil {
                lost.insert(field)
            }
        }
        return lost.sorted()
    }
}
