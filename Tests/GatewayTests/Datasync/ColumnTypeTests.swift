import ParseModel
import StoreService
import StoreSupport
import SyncModel
import TablesServer
import Testing

/// Tests the types of text columns. Only the options of the class and the server's description tell which texts are
/// dates or pointers.
@Suite("Column types of a table server", .timeLimit(.minutes(10)))
struct ColumnTypeTests {
    private static let values: [JSONValue] = [
        ["__type": "Pointer", "className": "Country", "objectId": "no"],
        ["__type": "File", "name": "a.txt", "url": "https://example.org/a.txt"],
        ["__type": "Bytes", "base64": "YQ=="],
    ]

    @Test(arguments: [TablesVariant.azure, .community], values)
    func typedValueForAnUndeclaredColumnIsRefusedAndTextStaysText(
        _ variant: TablesVariant, value: JSONValue
    ) async throws {
        let world = try await DatasyncWorld(variant)
        world.server.put("Holiday", "row", ["name": "Easter", "country": "se"])
        try await world.sync()
        let error = await #expect(throws: ParseError.self) {
            try await world.store.create("Holiday", ["country": value])
        }
        #expect(error?.code == .incorrectType)
        #expect(error?.message.contains(#"{"fields":{"country":"#) == true)
        await #expect(throws: ParseError.self) { try await world.store.update("Holiday", "row", ["country": value]) }
        try await world.settle()
        #expect(try world.store.fields("Holiday", "row")?["country"] == "se")
        try await world.store.update("Holiday", "row", ["country": "no"])
        let id = try await world.store.create("Holiday", ["country": "dk"])
        try await world.settle()
        #expect(world.live["row"]?["country"] == "no")
        #expect(world.live[id] == ["country": "dk"])
    }

    /// A column without a declared type accepts a Date, because a table stores it as a text.
    @Test(arguments: [TablesVariant.azure, .community])
    func dateInAnUndeclaredColumnIsATextAfterTheSync(_ variant: TablesVariant) async throws {
        let text = "2027-07-16T00:00:00.000Z"
        let world = try await DatasyncWorld(variant)
        world.server.put("Holiday", "row", ["country": "se"])
        try await world.sync()
        let id = try await world.store.create("Holiday", ["country": ["__type": "Date", "iso": .string(text)]])
        try await world.settle()
        #expect(world.live[id]?["country"]?.string == text)
        #expect(try world.store.fields("Holiday", id)?["country"]?.string == text)
        try await world.store.update("Holiday", "row", ["country": "no"])
        try await world.settle()
        #expect(world.live["row"] == ["country": "no"])
    }

    @Test func declaredPointerIsStoredInATableAsItsId() async throws {
        let world = try await DatasyncWorld()
        world.server.put("Holiday", "row", ["country": "se"])
        try await world.set(["fields": ["country": ["type": "Pointer", "targetClass": "Country"]]])
        try await world.sync()
        try await world.store.update("Holiday", "row", ["country": Self.values[0]])
        try await world.settle()
        #expect(world.live["row"] == ["country": "no"])
        #expect(try world.store.fields("Holiday", "row")?["country"] == Self.values[0])
    }
}
