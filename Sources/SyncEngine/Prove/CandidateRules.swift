import Foundation
import ParseModel
import RemoteService
import SyncModel

/// Finds rows that a create may have produced and that another client has edited since. Pure.
///
/// The weight of a field is the rarity of its value in the class, in bits. A candidate has more than half of the weight
/// of all sent fields.
struct CandidateRules {
    /// The number of objects from which the rarity of values is estimated.
    static let sampleMax = 1000
    /// The number of assumed further objects with other values, because a small class gives little evidence.
    static let objectsPresumed = 16
    /// The same number if most objects of the class are candidates, so that their common values give no evidence.
    static let objectsPresumedOfRemakes = 2
    /// The largest weight of a common initial value: null, zero, true, false or empty.
    private static let ordinaryBitsMax = 1.0

    private let sent: JSONObject
    private let sample: [JSONObject]
    private let presumed: Int

    /// - Parameters:
    ///   - sent: the fields of the create.
    ///   - sample: other objects of the class.
    ///   - presumed: the number of assumed further objects with other values.
    init(sent: JSONObject, sample: [JSONObject], presumed: Int = objectsPresumed) {
        self.sent = sent
        self.sample = sample
        self.presumed = presumed
    }

    /// The rows with more than half of the sent weight, most likely first.
    func candidates(among rows: [RemoteRecord]) -> [RemoteRecord] { likely(among: rows) { $0.share > 0.5 } }

    /// The rows with at least half the weight of a former object and with one rare value. Another replica that
    /// recreated the object may have changed the rest.
    func remakes(among rows: [RemoteRecord]) -> [RemoteRecord] {
        likely(among: rows) { $0.share >= 0.5 && $0.hasRareValue }
    }

    private struct Likeness {
        /// The row's share of the sent weight, from 0 to 1.
        let share: Double
        /// Whether the row has a value that at most half of the other objects share and that is not a common initial value.
        let hasRareValue: Bool
    }

    private func likely(
        among rows: [RemoteRecord], where isEnough: (Likeness) -> Bool
    ) -> [RemoteRecord] {
        // The counts of the values are the same for all rows, so they are computed once.
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
            // The row itself is included in the count.
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
    /// The share of a sent value that this value still contains. Other clients may have added elements to an array.
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
