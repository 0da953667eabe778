extension FieldOperation {
    /// One operation with the effect of `previous` and then this one; nil where there is none.
    ///
    /// For every value that both can be applied to, applying the merged one gives the same. Sums of fractions are the
    /// one exception: adding 0.1 and then 0.2 may differ from adding their sum in the last digit.
    package func merged(after previous: FieldOperation) -> FieldOperation? {
        switch (previous, self) {
        // A sum of more members than one write may name stays two writes; a remote would refuse it as one.
        case (.relation(let first), .relation(let second)):
            first.followed(by: second).flatMap { $0.memberCount <= RelationChange.membersMax ? .relation($0) : nil }
        // What a relation takes no other field does, and the reverse.
        case (.relation, _), (_, .relation): nil
        case (_, .set), (_, .delete): self
        case (.set(let value), .increment(let amount)):
            value.number?.adding(amount).map { .set(.number($0)) }
        case (.delete, .increment(let amount)): .set(.number(amount))
        case (.increment(let first), .increment(let second)): first.adding(second).map { .increment($0) }
        case (.set(let value), .add), (.set(let value), .addUnique), (.set(let value), .remove):
            value.array.map { .set(.array(applied(to: $0))) }
        case (.delete, .add), (.delete, .addUnique), (.delete, .remove): .set(.array(applied(to: [])))
        case (.add(let first), .add(let second)): .add(first + second)
        case (.addUnique(let first), .addUnique(let second)): .addUnique(first.appendingUnique(second))
        case (.remove(let first), .remove(let second)): .remove(first.appendingUnique(second))
        case (.increment, _), (.add, _), (.addUnique, _), (.remove, _): nil
        }
    }
}
