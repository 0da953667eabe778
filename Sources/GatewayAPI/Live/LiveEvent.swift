import ParseModel
import StoreService

/// What a change of an object means for a subscription.
struct LiveEvent: Sendable {
    enum Operation: String, Sendable { case create, enter, update, leave, delete }

    let operation: Operation
    /// The number of the change in the change feed.
    let number: Int64
    let object: JSONObject
    /// The object before the change; nil for `create` and `delete`, and if the reader could not read it.
    let original: JSONObject?
}

extension LiveEvent {
    /// The states of an object before and after a change, as far as a reader can read them.
    struct States {
        let before: JSONObject?
        let after: JSONObject?
    }

    /// Decides whether a change gives an event, as Parse Server's `ParseLiveQueryServer` does.
    /// - Parameters:
    ///   - query: the query whose watched fields count; nil for none.
    ///   - matches: whether a state meets the conditions of the query.
    /// - Returns: nil for no event.
    init?(
        _ change: LiveChange, _ states: States, watching query: LiveQuery?, matches: (JSONObject) throws -> Bool
    ) rethrows {
        let matched = try states.before.map(matches) ?? false
        let matchesNow = try states.after.map(matches) ?? false
        number = change.number
        switch (matched, matchesNow) {
        case (false, false): return nil
        case (true, true):
            operation = .update
            (object, original) = (states.after ?? [:], states.before)
        case (true, false) where change.kind == .delete:
            operation = .delete
            (object, original) = (states.before ?? [:], nil)
        case (true, false):
            operation = .leave
            // If the reader can no longer read the object, it gets the last state that it could read.
            (object, original) = (states.after ?? states.before ?? [:], states.before)
        case (false, true):
            operation = change.kind == .create ? .create : .enter
            (object, original) = (states.after ?? [:], states.before)
        }
        guard operation == .update || operation == .create, let query else { return }
        guard query.hasWatchedChange(from: original, to: object) else { return nil }
    }

    /// The maximum length of an event in bytes. Each connection has a text of its own, so the length of an event bounds the
    /// memory of a change that concerns many clients.
    private static let bytesMax = 4 << 20

    /// The event as a reader with these rights sees it, with the selected fields. An event that would be too long has no
    /// original. If it is still too long, the object has only the fields of `FieldSelection.always`, and the
    /// event says `"partial":true`.
    /// - Returns: `"number":…,"object":{…}`, and `"original":{…}` if there is one, as JSON text without braces.
    func text(of change: LiveChange, shownBy rules: AccessRules, _ keys: Set<String>?, number: String) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.raw("\"number\":\(number),\"object\":")
        let start = writer.bytes.count
        writer.write(Self.shown(object, change, rules, keys))
        if writer.bytes.count > Self.bytesMax {
            var short = JSONWriter()
            short.write(Self.shown(object, change, rules, []))
            return writer.bytes.prefix(start) + short.bytes + Array(#","partial":true"#.utf8)
        }
        guard let original else { return writer.bytes }
        let end = writer.bytes.count
        writer.raw(",\"original\":")
        writer.write(Self.shown(original, change, rules, keys))
        return writer.bytes.count > Self.bytesMax ? Array(writer.bytes.prefix(end)) : writer.bytes
    }

    private static func shown(
        _ object: JSONObject, _ change: LiveChange, _ rules: AccessRules, _ keys: Set<String>?
    ) -> JSONObject {
        let hidden = rules.hiddenFields.isEmpty ? [] : rules.hiddenFields(in: change.objectId) { object }
        var shown: JSONObject = ["__type": "Object", "className": .string(change.className)]
        for (key, value) in object.members where !hidden.contains(key) {
            guard keys?.contains(key) != false || FieldSelection.always.contains(key) else { continue }
            shown[key] = value
        }
        return shown
    }
}
