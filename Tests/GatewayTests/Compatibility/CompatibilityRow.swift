import Testing

@testable import Gateway

/// A difference between versions of Parse Server: a row of the table in `docs/parse-compatibility.md`.
struct CompatibilityRow: Sendable, CustomTestStringConvertible {
    /// The id of the row in the documented table.
    let id: String
    /// The expected result of `story` under `--compatibility 7`.
    let seven: String
    let nine: String
    /// Sends the requests of this row, and returns a text that differs between the versions of Parse Server.
    let story: @Sendable (CompatibilityGateway) async throws -> String

    /// A row with an answer for each version.
    init(
        _ id: String, seven: String, nine: String,
        _ story: @escaping @Sendable (CompatibilityGateway) async throws -> String
    ) {
        (self.id, self.seven, self.nine, self.story) = (id, seven, nine, story)
    }

    /// A row with the same result under both settings.
    init(_ id: String, _ both: String, _ story: @escaping @Sendable (CompatibilityGateway) async throws -> String) {
        self.init(id, seven: both, nine: both, story)
    }

    var testDescription: String { id }

    func answer(of version: Compatibility) -> String {
        switch version {
        case .seven: seven
        case .nine: nine
        }
    }

    /// All rows, in the order of the documented table.
    static let all =
        DenialRows.rows + QueryRows.rows + UserRows.rows + ComplexityRows.rows + ClassRows.rows + FileRows.rows
        + SystemRows.rows + SharedRows.rows
}
