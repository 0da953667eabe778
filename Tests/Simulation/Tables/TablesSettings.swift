import TablesServer

/// The properties of the simulated tables server in a run. The seed determines them.
struct TablesSettings: Sendable {
    /// The URL of the server.
    static let url = "http://localhost"

    let dialect: TablesServer.Dialect
    /// Whether a deleted row stays as a tombstone (soft delete).
    let keepsTombstones: Bool
    /// Whether each row has its own counter for versions. Without tombstones, all rows share one counter: a row that is
    /// created again would otherwise begin with an earlier version.
    let countsVersionsByRow: Bool
    /// Whether the database stores times with microseconds. Answers contain milliseconds.
    let hasFineTimes: Bool
    /// The largest number of rows in one answer.
    let pageMax: Int

    init(_ random: PartyRandom, keepsTombstones: Bool, pageMax: Int) {
        dialect = random.chance(0.5) ? .azure : .community
        self.keepsTombstones = keepsTombstones
        countsVersionsByRow = keepsTombstones && random.chance(0.5)
        hasFineTimes = random.chance(0.3)
        self.pageMax = pageMax
    }

    var tables: [TablesServer.Table] {
        TableColumns.classes.map { name in
            var table = TablesServer.Table(name, columns: TableColumns.typed, dialect: dialect)
            table.keepsTombstones = keepsTombstones
            table.countsVersionsByRow = countsVersionsByRow
            table.pageSize = pageMax
            return table
        }
    }
}
