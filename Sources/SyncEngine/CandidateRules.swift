import Foundation
import ParseModel
import RemoteService

/// Which rows a create may have made that others have edited since. Pure.
///
/// The weight of a field is the rarity of its value in the class, in bits. A candidate has more than half of the weight that was sent.
struct CandidateRules {
    /// How many objects of the class the rarity of a value is taken from.
    static let sampleMax = 1000
    /// So many objects with other values are assumed, since a small class tells little.
    private static let objectsPresumed = 16
    /// The most that a value tells which objects often begin with: nothing, zero, true or false.
    private static let ordinaryBitsMax = 1.0

    private let sent: JSONObject
    private let sample: [JSONObject]

    /// - Parameters:
    ///   - sent: the fields that the create has set.
    ///   - sample: other objects of the class.
    init(sent: JSONObject, sample: [JSONObject]) {
        self.sent = sent
        self.sample = sample
    }

    /// The rows that have more than half of the weight that was sent, the likeliest first.
    func candidates(among rows: [RemoteRecord]) -> [RemoteRecord] {
        rows.indices.map { (row: rows[$0], share: share(at: $0, of: rows)) }.filter { $0.share > 0.5 }
            .enumerated().sorted { ($1.element.share, $0.offset) < ($0.element.share, $1.offset) }.map(\.element.row)
    }

    /// The share of the sent weight that a row has, from 0 to 1.
    private func share(at index: Int, of rows: [RemoteRecord]) -> Double {
        let others = sample + rows.enumerated().filter { $0.offset != index }.map(\.element.fields)
        var (all, kept) = (0.0, 0.0)
        for (field, value) in sent {
            let bits = bits(of: value, in: field, among: others)
            all += bits
            kept += bits * (rows[index].fields[field] ?? .null).share(of: value)
        }
        return all > 0 ? kept / all : 1
    }

    private func bits(of value: JSONValue, in field: String, among objects: [JSONObject]) -> Double {
        let equal = objects.count { ($0[field] ?? .null).isSameOnRemote(as: value) }
        let bits = log2(Double(objects.count + Self.objectsPresumed) / Double(equal + 1))
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
