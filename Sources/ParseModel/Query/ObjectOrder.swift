/// The sort order of a query, for sorting objects in memory.
package struct ObjectOrder: Sendable {
    private let keys: [SortKey]
    private let center: (path: FieldPath, point: GeoPoint)?
    private let textSearch: (path: FieldPath, search: TextSearch)?

    package init(_ query: ParseQuery) {
        keys = query.order
        center = query.ordersByDistance ? query.predicate.center : nil
        textSearch = query.ordersByScore ? query.predicate.textSearch : nil
    }

    package init(_ keys: [SortKey]) {
        self.keys = keys
        (center, textSearch) = (nil, nil)
    }

    /// Returns the objects sorted by the query's order. The sort is stable.
    package func sorted(_ objects: [JSONObject]) -> [JSONObject] {
        let ranked = objects.map { (object: $0, ranks: ranks($0)) }
        return ranked.enumerated().sorted { a, b in
            for (mine, other) in zip(a.element.ranks, b.element.ranks) where mine.rank != other.rank {
                return mine.descending ? mine.rank > other.rank : mine.rank < other.rank
            }
            return a.offset < b.offset
        }.map(\.element.object)
    }

    private func ranks(_ object: JSONObject) -> [(rank: Rank, descending: Bool)] {
        var ranks: [(rank: Rank, descending: Bool)] = []
        if let textSearch {
            let text = textSearch.path.value(in: object)?.string ?? ""
            ranks.append((.number(textSearch.search.score(text)), true))
        }
        if let center {
            let distance = center.path.value(in: object).flatMap(GeoPoint.init).map(center.point.radians)
            ranks.append((distance.map(Rank.number) ?? .nothing, false))
        }
        return ranks + keys.map { (Self.rank($0.path.value(in: object)), $0.descending) }
    }

    /// The rank of a value: a date ranks by its time, a pointer by its id, any other object and every array by its JSON text.
    static func rank(_ value: JSONValue?) -> Rank {
        for name in ["iso", "objectId"] {
            let rank = plainRank(value?.object?[name])
            if rank != .nothing { return rank }
        }
        return plainRank(value)
    }

    private static func plainRank(_ value: JSONValue?) -> Rank {
        switch value {
        case nil, .null: .nothing
        case .bool(let flag): .number(flag ? 1 : 0)
        case .number(let number): .number(number.double)
        case .string(let text): .text(text)
        case .array, .object: .text(value?.jsonText ?? "")
        }
    }
}
