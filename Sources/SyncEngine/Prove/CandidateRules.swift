import Foundation
import ParseModel
import RemoteService
import SyncModel

/// Finds remote rows that a create may have produced, even if another client has edited them since. Pure.
///
/// Each sent field has a weight: the rarity of its value in the class, in bits. The share of a row is the weight of the sent
/// values that the row still has, divided by the total weight. `candidates` requires a share of more than half, `remakes` a share
/// of at least half and a rare value. In both, a third suffices if the row has a unique value: a sent value of no other object.
struct CandidateRules {
    /// The maximum number of sample objects, from which the rarity of values is estimated.
    static let sampleMax = 1000
    /// The number of imaginary objects that are added to the sample. They have none of the sent values. Without them, every value
    /// of a small class would seem common.
    static let objectsPresumed = 16
    /// The number of imaginary objects for `remakes`, instead of `objectsPresumed`. It is smaller, because the compared rows may
    /// be most objects of the class. A value that most rows share is then no evidence.
    static let objectsPresumedOfRemakes = 2
    /// The maximum weight, in bits, of a common initial value: null, zero, true, false or empty.
    private static let ordinaryBitsMax = 1.0

    private let sent: JSONObject
    private let sample: [JSONObject]
    private let presumed: Int

    /// - Parameters:
    ///   - sent: the fields of the create, or a state of the deleted object for `remakes`.
    ///   - sample: other objects of the class.
    ///   - presumed: the number of imaginary objects; see `objectsPresumed`.
    init(sent: JSONObject, sample: [JSONObject], presumed: Int = objectsPresumed) {
        self.sent = sent
        self.sample = sample
        self.presumed = presumed
    }

    /// The rows that the create may have produced, most likely first.
    func candidates(among rows: [RemoteRecord]) -> [RemoteRecord] {
        likely(among: rows) { $0.share > 0.5 || $0.hasThirdWithUniqueValue }
    }

    /// The rows that another replica may have created in place of a deleted object, most likely first. Such a row may show an
    /// earlier state of the object, or later edits.
    func remakes(among rows: [RemoteRecord]) -> [RemoteRecord] {
        likely(among: rows) { $0.share >= 0.5 && $0.hasRareValue || $0.hasThirdWithUniqueValue }
    }

    private struct Likeness {
        /// The share of the total weight that the row has, from 0 to 1.
        let share: Double
        /// Whether the row has a rare sent value: at most about half of the other objects have the value, and it is not a common
        /// initial value.
        let hasRareValue: Bool
        /// Whether the row has a unique sent value: no other object has the value, and it is not a common initial value.
        let hasUniqueValue: Bool

        var hasThirdWithUniqueValue: Bool { share >= 1.0 / 3 && hasUniqueValue }
    }

    private func likely(
        among rows: [RemoteRecord], where isEnough: (Likeness) -> Bool
    ) -> [RemoteRecord] {
        // For each sent field, the number of sample objects and rows that have the sent value. The same counts serve every row.
        let all = sample + rows.map(\.fields)
        let counts = sent.map { field, value in all.count { ($0[field] ?? .null).isSameOnRemote(as: value) } }
        return rows.map { (row: $0, likeness: likeness(of: $0, counts, among: all.count)) }
            .filter { isEnough($0.likeness) }.enumerated()
            .sorted { ($1.element.likeness.share, $0.offset) < ($0.element.likeness.share, $1.offset) }
            .map(\.element.row)
    }

    private func likeness(of row: RemoteRecord, _ counts: [Int], among count: Int) -> Likeness {
        var (all, kept) = (0.0, 0.0)
        var (hasRareValue, hasUniqueValue) = (false, false)
        for ((field, value), equal) in zip(sent, counts) {
            let here = row.fields[field] ?? .null
            let isSame = here.isSameOnRemote(as: value)
            // The row itself does not count, only the other objects.
            let bits = bits(of: value, equal: isSame ? equal - 1 : equal, among: count - 1)
            all += bits
            kept += bits * here.share(of: value)
            guard isSame, !value.isOrdinary else { continue }
            if bits >= 1 { hasRareValue = true }
            if equal == 1 { hasUniqueValue = true }
        }
        return Likeness(
            share: all > 0 ? kept / all : 1, hasRareValue: hasRareValue, hasUniqueValue: hasUniqueValue)
    }

    private func bits(of value: JSONValue, equal: Int, among count: Int) -> Double {
        let bits = log2(Double(count + presumed) / Double(equal + 1))
        return value.isOrdinary ? min(bits, Self.ordinaryBitsMax) : bits
    }
}

extension JSONValue {
    /// The part of a sent value that this value still contains, from 0 to 1. For two arrays: the number of sent elements that
    /// this array contains, divided by the number of sent elements. Otherwise: 1 if the values are equal, 0 if not.
    fileprivate func share(of sent: JSONValue) -> Double {
        if isSameOnRemote(as: sent) { return 1 }
        guard let here = array, let elements = sent.array, !elements.isEmpty else { return 0 }
        return Double(elements.count { here.contains($0) }) / Double(elements.count)
    }

    /// Whether this is a common initial value: null, true, false, zero, or an empty string, array or object.
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
