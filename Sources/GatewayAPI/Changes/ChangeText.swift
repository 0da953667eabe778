import LocalStore
import ParseModel

/// A change as clients read it: an entry of a list, or an event of a stream
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum ChangeText {
    /// Writes `{"number","className","objectId","kind","object"}`.
    static func write(_ entry: ChangeEntry, showsObject: Bool, _ writer: inout JSONWriter) {
        writer.raw("{\"number\":\(entry.number),\"className\":")
        writer.write(entry.className)
        writer.raw(",\"objectId\":")
        writer.write(entry.objectId)
        writer.raw(",\"kind\":\"\(entry.kind.rawValue)\"")
        if showsObject, let json = entry.json { writer.raw(",\"object\":\(json)") }
        writer.raw("}")
    }

    static func event(_ entry: ChangeEntry, showsObject: Bool) -> [UInt8] {
        var writer = JSONWriter(reserving: (entry.json?.utf8.count ?? 0) + 192)
        writer.raw("id: \(entry.number)\nevent: change\ndata: ")
        write(entry, showsObject: showsObject, &writer)
        writer.raw("\n\n")
        return writer.bytes
    }

    /// An event with addresses in the place of its files' (see `FileAddresses`).
    static func addressed(_ event: [UInt8], _ addresses: FileAddresses, base: String) -> [UInt8] {
        guard FileAddresses.isMarked(event), let mark = event.firstRange(of: Array("\ndata: ".utf8)) else {
            return event
        }
        let data = Array(event[mark.upperBound..<event.count - 2])
        return event[..<mark.upperBound] + addresses.addressed(data, base: base) + Array("\n\n".utf8)
    }

    /// An event without a number: `sync` or `gone`.
    static func event(_ name: String, _ data: JSONObject) -> [UInt8] {
        Array("event: \(name)\ndata: \(data.jsonText)\n\n".utf8)
    }

    /// Says where the stream begins, so that a client that has read no change yet resumes there, and how many
    /// milliseconds it should wait before it does.
    static func opening(at position: Int64) -> [UInt8] { Array("retry: 2000\nid: \(position)\n\n".utf8) }

    /// A comment, which clients overlook. A number before it makes them resume after changes that they were not shown.
    static func heartbeat(at position: Int64?) -> [UInt8] {
        Array(((position.map { "id: \($0)\n" } ?? "") + ": \n\n").utf8)
    }
}

/// A change in the form that all streams share.
struct FeedEvent: Sendable {
    let number: Int64
    let className: String
    private let whole: [UInt8]
    /// Without the object; nil where everybody may see that.
    private let bare: [UInt8]?

    init(_ entry: ChangeEntry) {
        number = entry.number
        className = entry.className
        whole = ChangeText.event(entry, showsObject: true)
        bare = SpecialClasses.areHidden(entry.className) ? ChangeText.event(entry, showsObject: false) : nil
    }

    var byteCount: Int { whole.count + (bare?.count ?? 0) }

    func bytes(isMaster: Bool) -> [UInt8] { isMaster ? whole : bare ?? whole }
}
