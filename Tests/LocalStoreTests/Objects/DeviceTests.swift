import GRDB
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// A standalone store keeps one installation for each device.
@Suite struct DeviceTests {
    private let store: LocalStore

    init() throws { store = try LocalStore.make(.standalone) }

    private func create(
        _ body: JSONObject, header: String? = nil, as principal: Principal = .public
    ) async throws -> WriteReceipt {
        var terms = WriteTerms()
        terms.installationId = header
        return try await store.perform(
            [.create(className: "_Installation", body: body, terms: terms)], as: principal, atomically: false)[0].get()
    }

    private func ids() throws -> [String] {
        try store.find("_Installation", ParseQuery(), as: .master).objects.map(\.objectId)
    }

    @Test func createsWithOneInstallationIdUpdateOneObject() async throws {
        let first = try await create(["installationId": "A", "deviceType": "ios"])
        #expect(!first.hasUpdatedExisting)
        let second = try await create(["installationId": "a", "badge": 3])
        #expect(second.hasUpdatedExisting && second.objectId == first.objectId)
        #expect(try store.fields(first.objectId, of: "_Installation")?["badge"] == 3)
        #expect(try ids() == [first.objectId])
    }

    @Test func installationIdHeadersAreIgnoredWithTheMasterKey() async throws {
        let first = try await create(["installationId": "a", "deviceType": "ios"])
        #expect(try await create(["badge": 1], header: "A").objectId == first.objectId)
        let other = try await create(["deviceToken": "t", "deviceType": "ios"], header: "a", as: .master)
        #expect(other.objectId != first.objectId)
    }

    @Test func aNewInstallationNeedsADeviceType() async throws {
        let error = ParseError(.missingClassName, "deviceType must be specified in this operation")
        for body in [["installationId": "a"], ["deviceToken": "t"], ["badge": 1]] as [JSONObject] {
            await #expect(throws: error) { try await create(body) }
        }
        let replica = try LocalStore.make(.replica)
        await #expect(throws: error) { try await replica.create(["installationId": "a"], of: "_Installation") }
    }

    @Test func aCreateWithTheDeviceTokenUpdatesTheInstallationWithoutAnId() async throws {
        let first = try await create(["deviceToken": "t", "deviceType": "ios"])
        let second = try await create(["deviceToken": "t", "installationId": "i", "deviceType": "ios"])
        #expect(second.objectId == first.objectId && second.hasUpdatedExisting)
        #expect(try store.fields(first.objectId, of: "_Installation")?["installationId"] == "i")
    }

    @Test func aNewInstallationIdReplacesInstallationsWithItsDeviceToken() async throws {
        let old = try await create(["deviceToken": "t", "installationId": "old", "deviceType": "ios"])
        let new = try await create(["deviceToken": "t", "installationId": "new", "deviceType": "ios"])
        #expect(!new.hasUpdatedExisting)
        #expect(try ids() == [new.objectId])
        #expect(old.objectId != new.objectId)
    }

    @Test func anInstallationOfAnotherAppIsNotReplaced() async throws {
        let other = try await create([
            "deviceToken": "t", "installationId": "old", "deviceType": "ios", "appIdentifier": "b",
        ])
        let new = try await create([
            "deviceToken": "t", "installationId": "new", "deviceType": "ios", "appIdentifier": "a",
        ])
        #expect(Set(try ids()) == [other.objectId, new.objectId])
    }

    @Test func anAmbiguousDeviceTokenNeedsAnInstallationId() async throws {
        _ = try await create(["deviceToken": "t", "installationId": "a", "deviceType": "ios", "appIdentifier": "a"])
        _ = try await create(["deviceToken": "t", "installationId": "b", "deviceType": "ios", "appIdentifier": "b"])
        await #expect(throws: ParseError.self) { try await create(["deviceToken": "t", "deviceType": "ios"]) }
    }

    @Test func anInstallationMergesIntoTheOneWithItsDeviceToken() async throws {
        let byId = try await create(["installationId": "i", "deviceType": "ios"])
        let byToken = try await create(["deviceToken": "t", "deviceType": "ios"])
        try await store.update(byId.objectId, ["deviceToken": "t", "installationId": "i"], of: "_Installation")
        #expect(try ids() == [byToken.objectId])
        #expect(try store.fields(byToken.objectId, of: "_Installation")?["installationId"] == "i")
    }

    @Test func aDeviceTokenThatMovesIsRemovedFromItsOldInstallation() async throws {
        let first = try await create(["installationId": "a", "deviceToken": "t", "deviceType": "ios"])
        let second = try await create(["installationId": "b", "deviceType": "ios"])
        try await store.update(second.objectId, ["deviceToken": "t", "installationId": "b"], of: "_Installation")
        #expect(try ids() == [second.objectId])
        #expect(first.objectId != second.objectId)
    }

    @Test func installationsAreFoundByAnIndex() throws {
        for (member, index) in [
            (SpecialIndexes.Member.installationId, "installations_by_id"), (.name, "roles_by_name"),
        ] {
            let className = member == .name ? "_Role" : "_Installation"
            let plan = try store.transactions.read { db in
                try db.rows(
                    """
                    EXPLAIN QUERY PLAN SELECT id FROM objects WHERE class = '\(className)' AND view IS NOT NULL
                        AND \(SpecialIndexes.text(member)) = ?
                    """, ["x"]
                ) { $0.text(3) }
            }
            #expect(plan.contains { $0.contains(index) }, "\(plan)")
        }
    }
}
