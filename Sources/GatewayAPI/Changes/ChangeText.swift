import ParseModel
import StoreService
import SyncModel

/// Formats changes for clients: as JSON in lists, and as events in streams
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum ChangeText {
    /// Which objects the entries contain.
    enum Objects: Sendable {
        case none
        case plain
        /// With a member `_sync`.
        case marked(SyncMember)
    }

    /// Writes an entry as `{"number","className","objectId","kind","object"}`.
    static func write(_ entry: ChangeEntry, _ objects: Objects, _ writer: inout JSONWriter) throws {
        var object = entry.stored
        switch objects {
        case .none: object = nil
        case .plain: break
        case .marked(let sync):
            guard let stored = object else { break }
            var bytes = stored.json
            try sync.append(of: stored, entry.className, to: &bytes)
            object = StoredObject(objectId: stored.objectId, json: bytes, state: stored.state)
        }
        write(entry, object: object?.jsonText, &writer)
    }

    private static func write(_ entry: ChangeEntry, object: String?, _ writer: inout JSONWriter) {
        writer.raw("{\"number\":\(entry.number),\"className\":")
        writer.write(entry.className)
        writer.raw(",\"objectId\":")
        writer.write(entry.objectId)
        writer.raw(",\"kind\":\"\(entry.kind.rawValue)\"")
        if let object { writer.raw(",\"object\":\(object)") }
        writer.raw("}")
    }

    static func event(_ entry: ChangeEntry, at position: String, showsObject: Bool) -> [UInt8] {
        var writer = JSONWriter(reserving: (entry.json?.utf8.count ?? 0) + 192)
        writer.raw("id: \(position)\nevent: change\ndata: ")
        write(entry, object: showsObject ? entry.json : nil, &writer)
        writer.raw("\n\n")
        return writer.bytes
    }

    /// Appends `_sync` to the object of an event.
    /// - Parameter objectStart: the offset of the object's text in the event.
    static func marked(
        _ event: [UInt8], _ sync: SyncMember, _ className: String, objectStart: Int,
        stored: (_ json: [UInt8]) -> StoredObject
    ) throws -> [UInt8] {
        let end = Array("}\n\n".utf8)
        var object = Array(event[objectStart..<event.count - end.count])
        try sync.append(of: stored(object), className, to: &object)
        return event[..<objectStart] + object + end
    }

    /// An event without its object.
    /// - Parameter objectStart: the offset of the object's text in the event.
    static func bare(_ event: [UInt8], objectStart: Int) -> [UInt8] {
        event[..<(objectStart - ",\"object\":".utf8.count)] + Array("}\n\n".utf8)
    }

    /// An event with file URLs inserted (see `FileAddresses`).
    static func addressed(
        _ event: [UInt8], _ addresses: FileAddresses, base: String, for principal: Principal
    ) throws -> [UInt8] {
        guard FileAddresses.isMarked(event), let mark = event.firstRange(of: Array("\ndata: ".utf8)) else {
            return event
        }
        let data = Array(event[mark.upperBound..<event.count - 2])
        return try event[..<mark.upperBound] + addresses.addressed(data, base: base, for: principal)
            + Array("\n\n".utf8)
    }

    /// An event without an `id`: `sync` or `gone`.
    static func event(_ name: String, _ data: JSONObject) -> [UInt8] {
        Array("event: \(name)\ndata: \(data.jsonText)\n\n".utf8)
    }

    /// The start of a stream: the reconnection delay in milliseconds, and the position from which a client resumes if it has
    /// received no change yet.
    static func opening(at position: String) -> [UInt8] { Array("retry: 2000\nid: \(position)\n\n".utf8) }

    /// A heartbeat: a comment, which clients ignore.
    /// - Parameter position: the stream's position if the client does not know it yet; nil otherwise. The position also moves
    ///   over changes of classes that the client does not follow. A client that reconnects resumes at this position.
    static func heartbeat(at position: String?) -> [UInt8] {
        Array(((position.map { "id: \($0)\n" } ?? "") + ": \n\n").utf8)
    }
}

/// A change, encoded as an event of a stream. Streams that are up to date share one encoding.
struct FeedEvent: Sendable {
    let number: Int64
    let className: String
    /// Whether the event is the same for every reader, unless roles or permissions have changed since.
    let isForAll: Bool
    private let objectId: String
    private let state: SyncState
    private let isHidden: Bool
    private let contentMark: ContentMark
    /// The offset of the object's text in `whole`; nil if there is no object.
    private let objectStart: Int?
    private let whole: [UInt8]
    /// The event without the object; nil if all clients may see the object.
    private let bare: [UInt8]?

    /// - Parameter isRestricted: whether the entry was read with the rights of the only client that receives it.
    init(
        _ entry: ChangeEntry, isRestricted: Bool = false, positions: FeedPositions = FeedPositions(ofStore: nil)
    ) {
        let position = positions.text(entry.number)
        number = entry.number
        className = entry.className
        isForAll = entry.isForAll
        objectId = entry.objectId
        state = entry.state
        isHidden = entry.isHidden
        contentMark = entry.contentMark
        whole = ChangeText.event(entry, at: position, showsObject: true)
        objectStart = entry.json.map { [whole] in whole.count - "}\n\n".utf8.count - $0.utf8.count }
        bare =
            !isRestricted && !AccessRules.feedShowsObjects(of: entry.className, to: .public)
            ? ChangeText.event(entry, at: position, showsObject: false) : nil
    }

    var byteCount: Int { whole.count + (bare?.count ?? 0) }

    /// The event as the principal may see it.
    func bytes(for principal: Principal, _ objects: ChangeText.Objects) throws -> [UInt8] {
        guard principal.readsEverything || bare == nil else { return bare ?? whole }
        guard let objectStart else { return whole }
        switch objects {
        case .none: return bare ?? ChangeText.bare(whole, objectStart: objectStart)
        case .plain: return whole
        case .marked(let sync):
            return try ChangeText.marked(whole, sync, className, objectStart: objectStart) { json in
                StoredObject(
                    objectId: objectId, json: json, state: state, isHidden: isHidden, contentMark: contentMark)
            }
        }
    }
}

extension ChangeEntry {
    fileprivate var stored: StoredObject? {
        json.map {
            StoredObject(
                objectId: objectId, json: Array($0.utf8), state: state, isHidden: isHidden, contentMark: contentMark)
        }
    }
}
