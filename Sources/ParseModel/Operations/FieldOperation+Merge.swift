extension FieldOperation {
    /// One operation with the effect of `previous` followed by this operation; nil if the two cannot be merged.
    ///
    /// For every value that accepts both operations, the merged operation gives the same result. Only the last digit of a sum of
    /// fractions can differ.
    package func merged(after previous: FieldOperation) -> FieldOperation? {
        switch (previous, self) {
        // Two relation changes stay separate if the merged change would have more than `membersMax` members, because a
        // gateway that serves as the remote would refuse it.
        case (.relation(let first), .relation(let second)):
            first.followed(by: second).flatMap { $0.memberCount <= RelationChange.membersMax ? .relation($0) : nil }
        // A relation operation and any other operation do not merge: a relation value accepts only relation operations.
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
