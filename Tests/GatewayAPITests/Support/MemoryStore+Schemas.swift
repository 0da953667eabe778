import ParseModel
import StoreService

/// The in-memory store keeps schemas, and does not check objects against them.
extension MemoryStore {
    func all() throws -> [ClassSchema] {
        state.withLock { $0.schemas.values.sorted { $0.className < $1.className } }
    }

    func schema(of className: String) throws -> ClassSchema? { state.withLock { $0.schemas[className] } }

    func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema {
        try state.withLock { state in
            let schema = try change(state.schemas[className]).schema
            state.schemas[className] = schema
            return schema
        }
    }

    func dropSchema(_ className: String) async throws { state.withLock { $0.schemas[className] = nil } }

    func dropObjects(of className: String) async throws { state.withLock { $0.objects[className] = [] } }
}
