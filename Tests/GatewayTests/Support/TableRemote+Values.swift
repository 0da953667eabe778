import ParseModel
import RemoteService
import SyncModel

/// Conversion of a `TableRemote`'s values. Its rows may have texts for values that the class's mapping converts.
extension TableRemote {
    func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? {
        guard capabilities(of: className).values == .scalars else { return nil }
        for (field, value) in fields {
            switch FieldType(of: value) {
            case nil, .string?, .number?, .boolean?, .date?: continue
            case let type? where type == mapping.fields[field]: continue
            case let type?:
                return ParseError(
                    .incorrectType, "\(field) is a value of the type \(type.description): no table can store it")
            }
        }
        return nil
    }
}

extension ClassMapping {
    /// Replaces texts by typed values in the fields whose type the mapping declares. Only the types Date and Pointer
    /// are converted.
    func typed(_ row: RemoteRecord) -> RemoteRecord { row.replacing(fields: typed(row.fields), marks: []) }

    func typed(_ row: JSONObject) -> JSONObject {
        var row = row
        for (field, type) in fields {
            guard let text = row[field]?.string else { continue }
            switch type {
            case .date:
                guard let date = ParseDate(iso: text) else { continue }
                row[field] = ["__type": "Date", "iso": .string(date.iso)]
            case .pointer(let target): row[field] = Pointer(className: target, objectId: text).json
            default: break
            }
        }
        return row
    }

    func typed(_ outcome: PushOutcome) -> PushOutcome {
        switch outcome {
        case .applied(let said):
            return .applied(
                Acknowledgement(
                    objectId: said.objectId, createdAt: said.createdAt, updatedAt: said.updatedAt,
                    echoed: typed(said.echoed), version: said.version))
        case .conflict(let row): return .conflict(row.map(typed))
        default: return outcome
        }
    }
}
