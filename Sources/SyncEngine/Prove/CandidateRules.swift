import Foundation
import ParseModel
import RemoteService
import SyncModel

/// Finds remote rows that a create may have produced, even if another client has edited them since. Has no side
/// effects.
///
/// `candidates` finds each row with a rare sent value: an unnecessary question to a user does less harm than a second
/// object. A value is rare if at most one of `objectsPerRareValue` other objects has it. `remakes` compares far more
/// rows, so it finds only those with a unique value, which no other object has.
///
/// Rows without such a value are found by their share. Each sent field has a weight: the rarity of its value in the
/// class, in bits. The share of a row is the weight of the sent values that the row still has, divided by the total
/// weight. `candidates` requires a share of more than half. `remakes` requires a share of at least half and an uncommon
/// value.
struct CandidateRules {
    /// The maximum number of other objects of the class from which the rarity of values is estimated.
    static let sampleMax = 1000
    /// The number of imaginary objects that are added to the sample. They have none of the sent values. Without them, every value
    /// of a small class would seem common.
    static let objectsPresumed = 16
    /// The number of imaginary objects for `remakes`, instead of `objectsPresumed`. It is smaller, because the compared
    /// rows may be most objects of the class. If most rows share a value, the value shows nothing about their origin.
    static let objectsPresumedOfRemakes = 2
    /// A value is rare if at most one of this number of other objects has it.
    static let objectsPerRareValue = 20
    /// The maximum weight, in bits, of a common initial value: null, zero, true, false or empty.
    private static let ordinaryBitsMax = 1.0

    private let sent: JSONObject
    private let sample: [JSONObject]
    private let presumed: Int

    /// Prepares the comparison of remote rows with sent values.
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
        likely(among: rows) { $0.hasRareValue || $0.share > 0.5 }
    }

    /// The rows that another replica may have created in place of a deleted object, most likely first. Such a row may show an
    /// earlier state of the object, or later edits.
    func remakes(among rows: [RemoteRecord]) -> [RemoteRecord] {
        likely(among: rows) { $0.hasUniqueValue || $0.share >= 0.5 && $0.hasUncommonValue }
    }

    private struct Likeness {
        /// The share of the total weight of the sent values that the row still has, from 0 to 1.
        let share: Double
        /// Whether the row has an uncommon sent value: at most about half of the other objects have the value, and it is not a common
        /// initial value.
        let hasUncommonValue: Bool
        /// Whether the row has a rare sent value.
        let hasRareValue: Bool
        /// Whether the row has a rare sent value that no other object has.
        let hasUniqueValue: Bool
    }

    private func likely(
        among rows: [RemoteRecord], where isEnough: (Likeness) -> Bool
    ) -> [RemoteRecord] {
        // For each sent field, the number of sample objects and rows that have the sent value. The same counts serve every row.
        let all = sample + rows.map(\.fields)
        let counts = sent.map { field, value in all.count { ($0[field] ?? .null).has(value) } }
        return rows.map { (row: $0, likeness: likeness(of: $0, counts, among: all.count)) }
            .filter { isEnough($0.likeness) }.enumerated()
            .sorted { ($1.element.likeness.share, $0.offset) < ($0.element.likeness.share, $1.offset) }
            .map(\.element.row)
    }

    private func likeness(of row: RemoteRecord, _ counts: [Int], among count: Int) -> Likeness {
        var (all, kept) = (0.0, 0.0)
        var (hasUncommonValue, hasRareValue, hasUniqueValue) = (false, false, false)
        for ((field, value), equal) in zip(sent, counts) {
            let here = row.fields[field] ?? .null
            let isKept = here.has(value)
            // The row itself does not count, only the other objects.
            let (others, othersWithValue) = (count - 1, isKept ? equal - 1 : equal)
            let bits = bits(of: value, equal: othersWithValue, among: others)
            all += bits
            kept += bits * here.share(of: value)
            // Many objects of one author have the same ACL, so it tells little about the object.
            guard isKept, field != "ACL" else { continue }
            if !value.isOrdinary, bits >= 1 { hasUncommonValue = true }
            guard isRare(value, othersWithValue, among: others) else { continue }
            hasRareValue = true
            if othersWithValue == 0 { hasUniqueValue = true }
        }
        return Likeness(
            share: all > 0 ? kept / all : 1, hasUncommonValue: hasUncommonValue, hasRareValue: hasRareValue,
            hasUniqueValue: hasUniqueValue)
    }

    /// Whether few of the other objects have the value. A common initial value, such as zero, is rare only if no other
    /// object has it and the class has enough other objects.
    private func isRare(_ value: JSONValue, _ equal: Int, among others: Int) -> Bool {
        guard value.isOrdinary else { return equal * Self.objectsPerRareValue <= others }
        return !value.isNull && equal == 0 && others >= Self.objectsPerRareValue
    }

    private func bits(of value: JSONValue, equal: Int, among count: Int) -> Double {
        let bits = log2(Double(count + presumed) / Double(equal + 1))
        return value.isOrdinary ? min(bits, Self.ordinaryBitsMax) : bits
    }
}

extension JSONValue {
    /// Whether this value still has the sent value: both are equal, or both are arrays and this array has all sent
    /// elements.
    fileprivate func has(_ sent: JSONValue) -> Bool {
        if isSameOnRemote(as: sent) { return true }
        guard let elements = sent.array, !elements.isEmpty else { return false }
        return share(of: sent) == 1
    }

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
