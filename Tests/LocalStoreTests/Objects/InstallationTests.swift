import LocalStore
import ParseModel
import StoreService
import Testing

/// Tests that the fields that identify the device of an installation cannot change.
@Suite struct InstallationTests {
    private static let apple = String(repeating: "Ab", count: 32)

    private func installation(
        _ body: JSONObject, in identity: StoreIdentity = .standalone
    ) async throws -> (LocalStore, String) {
        let store = try LocalStore.make(identity)
        return (store, try await store.create(body, of: "_Installation"))
    }

    @Test func installationIdsAreStoredInLowerCase() async throws {
        let (store, id) = try await installation(["installationId": "AB-Cd", "deviceType": "iOS"])
        #expect(try store.fields(id, of: "_Installation") == ["installationId": "ab-cd", "deviceType": "iOS"])
        try await store.update(
            id, ["installationId": "aB-CD", "deviceToken": .string(Self.apple)], of: "_Installation")
        #expect(try store.fields(id, of: "_Installation")?["installationId"] == "ab-cd")
        #expect(try store.fields(id, of: "_Installation")?["deviceToken"]?.string == Self.apple.lowercased())
        try await store.update(id, ["deviceToken": "Ab"], of: "_Installation")
        #expect(try store.fields(id, of: "_Installation")?["deviceToken"] == "Ab")
    }

    @Test(
        arguments: [
            ("deviceType", ["installationId": "a", "deviceType": "ios"], ["deviceType": "android"]),
            ("deviceType", ["installationId": "a", "deviceType": "ios"], ["deviceType": ["__op": "Delete"]]),
            ("installationId", ["installationId": "a", "deviceType": "ios"], ["installationId": "b"]),
            ("installationId", ["installationId": "a", "deviceType": "ios"], ["installationId": ["__op": "Delete"]]),
            ("deviceToken", ["deviceToken": "a", "deviceType": "ios"], ["deviceToken": "b"]),
        ] as [(String, JSONObject, JSONObject)], [StoreIdentity.standalone, .replica])
    func theDeviceFieldsOfAnInstallationCannotBeChanged(
        _ what: (name: String, before: JSONObject, change: JSONObject), _ identity: StoreIdentity
    ) async throws {
        let (store, id) = try await installation(what.before, in: identity)
        let error = ParseError(.unchangeableField, "\(what.name) may not be changed in this operation")
        await #expect(throws: error) { try await store.update(id, what.change, of: "_Installation") }
        #expect(try store.fields(id, of: "_Installation") == what.before)
    }

    @Test(
        arguments: [
            (
                ["deviceToken": "a", "deviceType": "ios"],
                ["installationId": "i", "deviceType": "ios", "deviceToken": "b"]
            ),
            (["installationId": "i", "deviceToken": "a", "deviceType": "ios"], ["deviceToken": "b"]),
            (["installationId": "i", "deviceType": "ios"], ["installationId": "", "deviceType": nil, "badge": 1]),
        ] as [(JSONObject, JSONObject)])
    func otherFieldsOfAnInstallationCanBeChanged(_ before: JSONObject, _ change: JSONObject) async throws {
        let (store, id) = try await installation(before)
        try await store.update(id, change, of: "_Installation")
    }

    @Test func otherClassesMayChangeFieldsNamedLikeDeviceFields() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["installationId": "A", "deviceType": "ios"])
        try await store.update(id, ["installationId": "B", "deviceType": ["__op": "Delete"]])
        #expect(try store.fields(id) == ["installationId": "B"])
    }
}
