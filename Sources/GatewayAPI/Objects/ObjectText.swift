import ParseModel
import StoreService

/// Puts answers together from the texts of stored objects. A text is taken as it is where no field is left out or replaced.
/// Otherwise it is read, and an object whose text cannot be read is an error: its hidden fields could not be told apart.
struct ObjectText {
    let selection: FieldSelection
    /// A text search that each object shows its score for.
    let score: (path: FieldPath, search: TextSearch)?
    /// The class that each object names; nil where the request names it.
    let className: String?
    /// The class of the objects.
    let storedClassName: String
    /// The last member of each object; nil for none.
    let sync: SyncMember?
    private let included: IncludedObjects

    init(
        _ selection: FieldSelection, of storedClassName: String, score: (path: FieldPath, search: TextSearch)? = nil,
        className: String? = nil, sync: SyncMember?, included: IncludedObjects
    ) {
        self.selection = selection
        self.storedClassName = storedClassName
        self.score = score
        self.className = className
        self.sync = sync
        self.included = included
    }

    func object(_ object: StoredObject) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try append(object, to: &bytes)
        return bytes
    }

    /// `{"results":[…],"count":n}`, object by object.
    struct List {
        private let text: ObjectText
        private(set) var bytes = Array("{\"results\":[".utf8)
        private var isEmpty = true

        init(_ text: ObjectText) {
            self.text = text
            bytes.reserveCapacity(4096)
        }

        /// Adds one object, or nothing if it throws.
        /// - Throws: 116 where too much is included, `StoreError.damaged`.
        mutating func append(_ object: StoredObject) throws {
            let end = bytes.count
            do {
                if !isEmpty { bytes.append(UInt8(ascii: ",")) }
                try text.append(object, to: &bytes)
                isEmpty = false
            } catch {
                bytes.removeSubrange(end...)
                throw error
            }
        }

        /// The text to its end.
        /// - Parameter count: of all objects that match; nil where the query does not ask for it.
        consuming func whole(count: Int?) -> [UInt8] {
            bytes.append(UInt8(ascii: "]"))
            if let count { bytes += ",\"count\":\(count)".utf8 }
            bytes.append(UInt8(ascii: "}"))
            return bytes
        }
    }

    private func append(_ object: StoredObject, to bytes: inout [UInt8]) throws {
        let isPlain = score == nil && className == nil
        let (isAsStored, isOfIds) = (selection.isWhole && isPlain, selection.isOfIds && isPlain)
        if isOfIds, let stamps = object.stampsText {
            bytes += stamps
        } else if !isAsStored {
            guard let fields = try? JSONReader.read(object.json, depthMax: JSONReader.storedDepthMax).object else {
                throw StoreError.damaged(className: storedClassName, objectId: object.objectId)
            }
            var shown = try included.shown(fields, selection)
            if let score, let text = score.path.value(in: fields)?.string {
                shown["score"] = .number(JSONNumber(score.search.score(text)))
            }
            if let className { shown["className"] = .string(className) }
            bytes += shown.jsonBytes
        } else {
            bytes += object.json
        }
        if let sync { try sync.append(of: object, storedClassName, to: &bytes) }
    }
}

extension StoredObject {
    /// The id and the dates of the object alone, which begin a stored text; nil where the text may hold an `ACL`. Reading the text as
    /// JSON took half the time of listing ids.
    fileprivate var stampsText: [UInt8]? {
        let dates = ",\"createdAt\":\"0000-00-00T00:00:00.000Z\",\"updatedAt\":\"0000-00-00T00:00:00.000Z\"".utf8
        let end = "{\"objectId\":\"\"".utf8.count + objectId.utf8.count + dates.count
        // An id with escapes or a year of six digits is longer.
        guard end < json.count, json[end] == UInt8(ascii: ",") || json[end] == UInt8(ascii: "}"),
            zip(json[(end - dates.count)...], dates).allSatisfy({ $0 == $1 || $1 == UInt8(ascii: "0") }),
            !hasACL(behind: end)
        else { return nil }
        return json[..<end] + [UInt8(ascii: "}")]
    }

    /// Whether the text may hold an `ACL`, which each answer shows.
    private func hasACL(behind start: Int) -> Bool {
        json.indices[start...].dropLast(2).contains { place in
            json[place] == UInt8(ascii: "A") && json[place + 1] == UInt8(ascii: "C")
                && json[place + 2] == UInt8(ascii: "L")
        }
    }
}
