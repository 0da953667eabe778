import ParseModel
import Testing

/// Tests merging: the merged operation is equivalent to both operations in turn, or the operations do not merge.
@Suite struct MergeLawTests {
    private static let one = FieldOperation.increment(JSONNumber(1))

    @Test(
        arguments: [
            (.set(1), .set(2), .set(2)), (one, .set(2), .set(2)), (.add([1]), .delete, .delete),
            (.delete, .set(1), .set(1)),
            (.set(5), one, .set(6)), (.set("x"), one, nil), (.delete, one, .set(1)),
            (one, one, .increment(JSONNumber(2))),
            (.set([1]), .add([1]), .set([1, 1])), (.set("x"), .add([1]), nil), (.delete, .add([1, 1]), .set([1, 1])),
            (.add([1]), .add([2, 1]), .add([1, 2, 1])), (.set([1]), .addUnique([1, 2]), .set([1, 2])),
            (.delete, .addUnique([1, 1]), .set([1])),
            (.addUnique([1, 2]), .addUnique([2, 3]), .addUnique([1, 2, 3])),
            (.set([1, 2, 1]), .remove([1]), .set([2])), (.delete, .remove([1]), .set([])),
            (.remove([1]), .remove([1, 2]), .remove([1, 2])), (.add([1]), .remove([1]), nil),
            (.add([1]), .addUnique([1]), nil),
            (.addUnique([1]), .add([1]), nil), (.addUnique([1]), .remove([1]), nil), (.remove([1]), .add([1]), nil),
            (.remove([1]), .addUnique([1]), nil), (one, .add([1]), nil), (.add([1]), one, nil),
            (.increment(JSONNumber(1.7e308)), .increment(JSONNumber(1.7e308)), nil),
        ] as [(FieldOperation, FieldOperation, FieldOperation?)])
    func eachPairOfOperationsMergesAsExpected(previous: FieldOperation, next: FieldOperation, merged: FieldOperation?) {
        #expect(next.merged(after: previous) == merged)
    }

    /// Applying the merged operation equals applying both, for every value that accepts both.
    @Test(arguments: 0..<16 as Range<UInt64>) func aMergedOperationEqualsBothInTurn(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var merges = 0
        for _ in 0..<4000 {
            let (old, first, second) = (random.fieldValue(), random.operation(), random.operation())
            guard let merged = second.merged(after: first), case .some(let both) = apply([first, second], to: old)
            else { continue }
            merges += 1
            let once = apply([merged], to: old)
            #expect(once == .some(both), "\(first) then \(second) on \(String(describing: old))")
        }
        #expect(merges > 500)
    }

    /// Folding a chain of operations in any grouping gives the same value.
    @Test(arguments: 0..<8 as Range<UInt64>) func chainsOfOperationsMergeInAnyGrouping(seed: UInt64) {
        var random = SeededRandom(seed: 1000 + seed)
        for _ in 0..<2000 {
            let old = random.fieldValue()
            let operations = (0..<5).map { _ in random.operation() }
            guard case .some(let all) = apply(operations, to: old) else { continue }
            var folded: [FieldOperation] = []
            for operation in operations {
                if let last = folded.last, let merged = operation.merged(after: last) {
                    folded[folded.count - 1] = merged
                } else {
                    folded.append(operation)
                }
            }
            #expect(apply(folded, to: old) == .some(all), "\(operations) on \(String(describing: old))")
        }
    }

    /// The field's value after all operations. The inner nil stands for an absent field, the outer nil for an
    /// operation that cannot be applied.
    private func apply(_ operations: [FieldOperation], to old: JSONValue?) -> JSONValue?? {
        var value = old
        for operation in operations {
            do { value = try operation.apply(to: value, field: "n", className: "Holiday") } catch { return nil }
        }
        return .some(value)
    }
}

extension SeededRandom {
    /// A small set of values, so that equal elements are frequent.
    fileprivate mutating func element() -> JSONValue {
        let pointer = { (id: String) in Pointer(className: "Country", objectId: id).json }
        let included: JSONValue = ["__type": "Object", "className": "Country", "objectId": "a", "name": "x"]
        return pick([1, 2, 3, "1", "a", true, nil, 1.5, [1], ["a": 1], pointer("a"), pointer("b"), included])
    }

    fileprivate mutating func elements() -> [JSONValue] {
        (0..<Int.random(in: 0...4, using: &self)).map { _ in element() }
    }

    fileprivate mutating func fieldValue() -> JSONValue? {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: nil
        case 1: .int(Int.random(in: -1000...1000, using: &self))
        case 2: "text"
        default: .array(elements())
        }
    }

    fileprivate mutating func operation() -> FieldOperation {
        switch Int.random(in: 0..<7, using: &self) {
        case 0: .set(fieldValue() ?? 0)
        case 1: .delete
        case 2: .increment(JSONNumber(Int.random(in: -100...100, using: &self)))
        case 3: .add(elements())
        case 4: .addUnique(elements())
        default: .remove(elements())
        }
    }
}
