import ParseModel
import StoreService

/// The positions of a change feed as clients see them: `next`, `since`, and the ids of events.
///
/// In the feed of the gateway itself, a position is the number of a change. A user's space (the data of one user in a
/// personal replica) has a feed of its own. Its position is the name of the space, a hyphen, and the number:
/// `9f86d081884c-42`. So a client that goes on after a log-in as another user does not skip or repeat the changes of
/// the other space. The name is derived from the id of the store, so a removed space that is made anew has another
/// name.
struct FeedPositions: Sendable {
    /// The name of the user's space; nil for the feed of the gateway itself.
    let space: String?

    private static let nameLength = 12

    /// - Parameter storeId: the unique id of the store of a user's space; nil for the gateway itself.
    init(ofStore storeId: String?) {
        space = storeId.map { String(ContentDigest.text(of: $0).prefix(Self.nameLength)) }
    }

    /// The position after a change.
    func text(_ number: Int64) -> String { space.map { "\($0)-\(number)" } ?? String(number) }

    /// The position as JSON text: a number, or a string with the name of the space.
    func jsonText(_ number: Int64) -> String { space == nil ? String(number) : "\"\(text(number))\"" }

    /// The position as a JSON value: a number, or a string with the name of the space.
    func json(_ number: Int64) -> JSONValue { space == nil ? .int(Int(number)) : .string(text(number)) }

    /// The number of the last change that a client has, from its parameter `since`.
    /// - Returns: nil for `latest`, which starts at the end of the feed; 0, the start of every feed, if the parameter
    ///   is missing.
    /// - Throws: `APIError.foreignPosition` for a position of another feed. `ParseError` for a text that is no position.
    func since(_ parameters: JSONObject) throws -> Int64? {
        let text = parameters.text("since")
        if text == "latest" { return nil }
        let named = text?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        if named.count == 2, Self.isName(named[0]) {
            let digits = JSONObject([("since", .string(named[1].isEmpty ? "-" : String(named[1])))])
            let number = try digits.wholeNumber("since")
            guard named[0] == space ?? "" else { throw APIError.foreignPosition }
            return number
        }
        let number = try parameters.wholeNumber("since") ?? 0
        guard space == nil || number == 0 else { throw APIError.foreignPosition }
        return number
    }

    private static func isName(_ text: Substring) -> Bool {
        text.utf8.count == nameLength
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
