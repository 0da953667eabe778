import Foundation
import ParseModel
import RemoteService
import SyncModel

/// Which rows a create may have made that others have edited since. Pure.
///
/// The weight of a field is the rarity of its value in the class, in bits. A candidate has more than half of the weight that was sent.
struct CandidateRules {
    /// How many objects of the class the rarity of a value is taken from.
    static let sampleMax = 1000
    /// So many objects with other values are assumed, since a small class tells little.
    static let objectsPresumed = 16
    /// The same where most objects of the class are candidates: what they all have in common tells nothing.
    static let objectsPresumedOfRemakes = 2
    /// The most that a value tells which objects often begin with: nothing, zero, true or false.
    private static let ordinaryBitsMax = 1.0

    private let sent: JSONObject
    private let sample: [JSONObject]
    private let presumed: Int

    /// - Parameters:
    ///   - sent: the fields that the create has set.
    ///   - sample: other objects of the class.
    ///   - presumed: how many further objects with other values are taken for granted.
    init(sent: JSONObject, sample: [JSONObject], presumed: Int = objectsPresumed) {
        self.sent = sent
        self.sample = sample
        self.presumed = presumed
    }

    /// The rows that have more than half of the weight that was sent, the likeliest first.
    func candidates(among rows: [RemoteRecord]) -> [RemoteRecord] { likely(among: rows) { $0.share > 0.5 } }

    /// The rows that have at least half of the weight of an object as it was, and with it a value that most others have not.
    /// Another replica that has made it again may have changed the rest.
    func remakes(among rows: [RemoteRecord]) -> [RemoteRecord] {
        likely(among: rows) { $0.share >= 0.5 && $0.hasRareValue }
    }

    private struct Likeness {
        /// The share of the sent weight that the row has, from 0 to 1.
        let share: Double
        /// It has a value that at most half of the other objects have, and that no object begins with.
        let hasRareValue: Bool
    }

    private func likely(
        among rows: [RemoteRecord], where isEnough: (Likeness) -> Bool
    ) -> [RemoteRecord] {
        // The counts of the values are the same for all rows.
        let all = sample + rows.map(\.fields)
        let counts = sent.map { field, value in all.count { ($0[field] ?? .null).isSameOnRemote(as: value) } }
        return rows.map { (row: $0, likeness: likeness(of: $0, counts, among: all.count)) }
            .filter { isEnough($0.likeness) }.enumerated()
            .sorted { ($1.element.likeness.share, $0.offset) < ($0.element.likeness.share, $1.offset) }
            .map(\.element.row)
    }

    private func likeness(of row: RemoteRecord, _ counts: [Int], among count: Int) -> Likeness {
        var (all, kept) = (0.0, 0.0)
        var hasRareValue = false
        for ((field, value), equal) in zip(sent, counts) {
            let here = row.fields[field] ?? .null
            let isSame = here.isSameOnRemote(as: value)
            // The row itself is one of them.
            let bits = bits(of: value, equal: isSame ? equal - 1 : equal, among: count - 1)
            all += bits
            kept += bits * here.share(of: value)
            if isSame, bits >= 1, !value.isOrdinary { hasRareValue = true }
        }
        return Likeness(share: all > 0 ? kept / all : 1, hasRareValue: hasRareValue)
    }

    private func bits(of value: JSONValue, equal: Int, among count: Int) -> Double {
        let bits = log2(Double(count + presumed) / Double(equal + 1))
        return value.isOrdinary ? min(bits, Self.ordinaryBitsMax) : bits
    }
}

extension JSONValue {
    /// How much of a value is left in this one: of an array its elements, to which others may have added.
    fileprivate func share(of sent: JSONValue) -> Double {
        if isSameOnRemote(as: sent) { return 1 }
        guard let here = array, let elements = sent.array, !elements.isEmpty else { return 0 }
        return Double(elements.count { here.contains($0) }) / Double(elements.count)
    }

    fileprivate var isOrdinary: Bool {
        switch self {
        case .null, .bool: true
        case .number(let number): number == JSONNumber(0)
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.isEmpty
        }
    }
}
