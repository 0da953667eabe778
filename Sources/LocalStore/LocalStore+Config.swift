import GRDB

/// The values of `/config`.
extension LocalStore {
    private static let configKey = "config"

    package func config() throws -> String? { try readOnce { try Meta.value(of: Self.configKey, in: $0) } }

    package func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws {
        try await write { transaction in
            let text = try change(try Meta.value(of: Self.configKey, in: transaction.db))
            try Meta.set(Self.configKey, text, in: transaction.db)
        }
    }
}
