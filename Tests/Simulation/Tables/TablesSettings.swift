/// The properties of the simulated tables server in a run. The seed determines them.
struct TablesSettings: Sendable {
    enum Dialect: Sendable {
        /// Azure Mobile Apps: an update is a PATCH of some columns, and a POST to a tombstone undeletes it.
        case azure
        /// Community Datasync: an update is a PUT of the whole row, and rows have no `createdAt`.
        case community
    }

    /// The URL of the server.
    static let url = "http://localhost"

    let dialect: Dialect
    /// Whether a deleted row stays as a tombstone (soft delete).
    let keepsTombstones: Bool
    /// Whether each row counts its own versions. Otherwise, all rows share one counter, so no version ever returns. Without
    /// tombstones, all rows share one counter: a row that is created again would begin with an earlier version.
    let countsVersionsByRow: Bool
    /// Whether the database keeps times with microseconds. The answers have milliseconds.
    let hasFineTimes: Bool
    /// The largest number of rows in one answer.
    let pageMax: Int
    /// The largest accepted `$top`. A larger one is refused.
    static let topMax = 1000

    init(_ random: PartyRandom, keepsTombstones: Bool, pageMax: Int) {
        dialect = random.chance(0.5) ? .azure : .community
        self.keepsTombstones = keepsTombstones
        countsVersionsByRow = keepsTombstones && random.chance(0.5)
        hasFineTimes = random.chance(0.3)
        self.pageMax = pageMax
    }
}
