import ParseModel
import StoreService

/// Stores in a SQLite file.
package struct LocalStoreKind: StoreKind {
    package init() {}

    package func open(_ settings: StoreSettings, environment: Environment) throws -> any GatewayStore {
        try LocalStore(StoreConfiguration(settings), environment: environment)
    }

    package func checkFile(in directory: String) async throws -> FileFindings {
        try await FileCheck.run(directory: directory)
    }
}
