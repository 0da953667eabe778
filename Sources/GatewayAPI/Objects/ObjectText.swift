import ParseModel
import StoreService

/// Builds answers from the JSON texts of stored objects. If the answer shows exactly the stored fields, the text is copied. If
/// it shows only id and dates, these are copied from the beginning of the text where possible. Otherwise the text is parsed,
/// and a damaged text is an error. In all three cases, `sessionToken` and `_sync` are appended if `token` and `sync` are set.
struct ObjectText {
    let selection: FieldSelection
    /// The text search whose score each object shows; nil for none.
    let score: (path: FieldPath, search: TextSearch)?
    /// The `className` to add to each object, for a query with `redirectClassNameForKey`; nil for any other read.
    let className: String?
    /// The class in which the objects are stored.
    let storedClassName: String
    /// The `_sync` member to append to each object; nil for none.
    let sync: SyncMember?
    /// The `sessionToken` member to append to the caller's own object; nil for none.
    private let token: OwnToken?
    private let included: IncludedObjects

    init(
        _ selection: FieldSelection, of storedClassName: String, score: (path: FieldPath, search: TextSearch)? = nil,
        className: String? = nil, sync: SyncMember?, token: OwnToken? = nil, included: IncludedObjects
    ) {
        self.selection = selection
        self.storedClassName = storedClassName
        self.score = score
        self.className = className
        self.sync = sync
        self.token = token
        self.included = included
    }

    func object(_ object: StoredObject) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try append(object, to: &bytes)
        return bytes
    }

    /// Builds `{"results":[…],"count":n}`, object by object.
    struct List {
        private let text: ObjectText
        private let objectsMax: Int
        private(set) var bytes = Array("{\"results\":[".utf8)
        private var count = 0

        /// After this number of objects, memory for the rest is reserved, at most `reservedMax` bytes. The text would otherwise be
        /// copied each time that it outgrows its memory.
        private static let (sampleCount, reservedMax) = (8, 1 << 19)

        /// - Parameter objectsMax: the `limit` of the query.
        init(_ text: ObjectText, objectsMax: Int) {
            self.text = text
            self.objectsMax = objectsMax
            bytes.reserveCapacity(4096)
        }

        /// Appends one object. After an error, the list is unchanged.
        /// - Throws: `ParseError` 116 (object too large) if the includes exceed a limit, `StoreError.damaged` for
        ///   an unreadable object.
        mutating func append(_ object: StoredObject) throws {
            let end = bytes.count
            do {
                if count > 0 { bytes.append(UInt8(ascii: ",")) }
                try text.append(object, to: &bytes)
                count += 1
                if count == Self.sampleCount { reserve() }
            } catch {
                bytes.removeSubrange(end...)
                throw error
            }
        }

        /// Reserves memory for `objectsMax` objects that are an eighth larger than those so far.
        private mutating func reserve() {
            let size = bytes.count / count * 9 / 8
            bytes.reserveCapacity(min(objectsMax, Self.reservedMax / size) * size)
        }

        /// Completes the text. Called once.
        /// - Parameter count: the number of all matching objects; nil if the query does not request it.
        mutating func whole(count: Int?) -> [UInt8] {
            bytes.append(UInt8(ascii: "]"))
            if let count { bytes += ",\"count\":\(count)".utf8 }
            bytes.append(UInt8(ascii: "}"))
            // An answer can have to wait, for example in a batch. It then takes at most twice its length of memory.
            return bytes.capacity > 2 * bytes.count ? Array(bytes[...]) : bytes
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
        if let token { token.append(to: object, &bytes) }
        if let sync { try sync.append(of: object, storedClassName, to: &bytes) }
    }
}

extension StoredObject {
    /// The object's id and dates as JSON, copied from the beginning of the stored text. Nil if the text may contain an `ACL`, or
    /// if the dates are not at the usual place. Parsing instead would double the time of a list of ids.
    fileprivate var stampsText: [UInt8]? {
        let dates = ",\"createdAt\":\"0000-00-00T00:00:00.000Z\",\"updatedAt\":\"0000-00-00T00:00:00.000Z\"".utf8
        let end = "{\"objectId\":\"\"".utf8.count + objectId.utf8.count + dates.count
        // The comparison fails if an id with escapes or a year of six digits moves the dates to another place.
        guard end < json.count, json[end] == UInt8(ascii: ",") || json[end] == UInt8(ascii: "}"),
            zip(json[(end - dates.count)...], dates).allSatisfy({ $0 == $1 || $1 == UInt8(ascii: "0") }),
            !hasACL(behind: end)
        else { return nil }
        return json[..<end] + [UInt8(ascii: "}")]
    }

    /// Whether the text after `start` may contain an `ACL`. An answer shows the `ACL` even if only ids are requested.
    private func hasACL(behind start: Int) -> Bool {
        json.indices[start...].dropLast(2).contains { place in
            json[place] == UInt8(ascii: "A") && json[place + 1] == UInt8(ascii: "C")
                && json[place + 2] == UInt8(ascii: "L")
        }
    }
}
