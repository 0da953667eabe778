import ParseModel
import Testing

@testable import GatewayAPI

/// Checks for each caller and each set of access rights that every way to an object obeys the rights.
@Suite("Access rights on every way to an object")
struct RightsTableTests {
    typealias Caller = RightsWorld.Caller

    @Test(arguments: RightsScenario.table) func everyWayToReadAnObjectObeysItsAccessRights(
        scenario: RightsScenario
    ) async throws {
        let world = try await RightsWorld()
        try await scenario.apply(to: world)
        for caller in Caller.allCases {
            for way in ObjectWay.reads {
                let isShown = try await way.go(world, caller)
                #expect(isShown == scenario.readers.contains(caller), "\(way.name) as \(caller)")
            }
            for way in ObjectWay.readsOfMaster {
                #expect(try await way.go(world, caller) == (caller == .master), "\(way.name) as \(caller)")
            }
            for way in ObjectWay.mute {
                #expect(try await !way.go(world, caller), "\(way.name) as \(caller)")
            }
        }
    }

    @Test(arguments: RightsScenario.table) func everyWayToWriteAnObjectObeysItsAccessRights(
        scenario: RightsScenario
    ) async throws {
        var world = try await RightsWorld()
        try await scenario.apply(to: world)
        for caller in Caller.allCases {
            for way in ObjectWay.writes {
                let isDone = try await way.go(world, caller)
                #expect(isDone == scenario.writers.contains(caller), "\(way.name) as \(caller)")
                guard isDone else { continue }
                try await world.makeSecret()
                try await scenario.apply(to: world)
            }
        }
    }

    /// The error answer of a refused write contains no value of the object.
    @Test(arguments: RightsScenario.table) func aRefusedWriteShowsNoFieldOfTheObject(
        scenario: RightsScenario
    ) async throws {
        let world = try await RightsWorld()
        try await scenario.apply(to: world)
        let path = "/classes/Secret/\(world.secret)"
        for caller in Caller.allCases where !scenario.readers.contains(caller) {
            for headers in [["If-Match": "\"x\""], ["If-Match": "*"], [:]] {
                for (method, body) in [("PUT", ["n": "text"]), ("DELETE", nil)] as [(String, JSONObject?)] {
                    guard method == "PUT" || headers["If-Match"] == "\"x\"" else { continue }
                    let answer = try await world.send(caller, method, path, body, headers: headers)
                    #expect(!answer.text.contains(RightsWorld.marker), "\(method) \(headers) as \(caller)")
                }
            }
        }
    }

    @Test func protectedFieldsAreHiddenOnEveryWayToReadAnObject() async throws {
        let world = try await RightsWorld()
        var permissions: JSONObject = ["protectedFields": ["*": ["text"], "role:Editors": [], "userField:owner": []]]
        for operation in ["find", "get", "count", "create", "update", "delete"] { permissions[operation] = ["*": true] }
        try await world.permit(permissions)
        let seers: Set<Caller> = [.ada, .rob, .nina, .master]
        let ways = ObjectWay.reads.filter { way in
            !way.name.hasPrefix("$") && !way.name.hasPrefix("count") && !way.name.hasPrefix("owner")
        }
        for caller in Caller.allCases {
            for way in ways {
                #expect(try await way.go(world, caller) == seers.contains(caller), "\(way.name) as \(caller)")
            }
            let query: [(String, JSONObject)] = [
                ("Secret", ["where": ["text": .string(RightsWorld.marker)]]), ("Secret", ["order": "text"]),
                ("Secret", ["where": ["$or": [["n": 0], ["text.length": 1]]]]),
                (
                    "Probe",
                    ["where": ["to": ["$inQuery": ["className": "Secret", "where": ["text": ["$regex": "^s"]]]]]]
                ),
                (
                    "Probe",
                    ["where": ["n": ["$select": ["key": "text", "query": ["className": "Secret", "where": [:]]]]]]
                ),
            ]
            // Rights by the field `owner` apply to reads of the object by id, and not to queries.
            let maySearch = seers.contains(caller) && caller != .ada
            for (className, parameters) in query {
                let answer = try await world.find(caller, className, parameters)
                #expect((answer.status == 200) == maySearch, "\(parameters) as \(caller)")
                if !maySearch { #expect(answer.code == 119) }
            }
        }
    }

    /// A write with a `_base` date is refused if it would change a field that has changed since. A writer who may not
    /// read the field must get the same answer for each value.
    @Test func conditionalWritesWithAGuessedBaseDateRevealNoProtectedValues() async throws {
        var permissions: JSONObject = ["protectedFields": ["*": ["text"], "role:Editors": [], "userField:owner": []]]
        for operation in ["find", "get", "count", "update"] { permissions[operation] = ["*": true] }
        let seers: Set<Caller> = [.ada, .rob, .nina, .master]
        for caller in Caller.allCases {
            let world = try await RightsWorld()
            try await world.permit(permissions)
            let path = "/classes/Secret/\(world.secret)"
            let known = try #require(try await world.stored()?["updatedAt"])
            _ = try await world.send(.master, "PUT", path, ["text": .string(RightsWorld.marker + "2")])
            for base in [known, "2001-01-01T00:00:00.000Z"] {
                for (guess, isRight) in [(RightsWorld.marker, false), (RightsWorld.marker + "2", true)] {
                    let answer = try await world.send(
                        caller, "PUT", path, ["text": .string(guess), "_base": base], headers: [:])
                    let isAccepted = isRight && seers.contains(caller)
                    #expect(answer.status == (isAccepted ? 200 : 412), "\(guess) since \(base) as \(caller)")
                    if !seers.contains(caller) { #expect(!answer.text.contains(RightsWorld.marker)) }
                }
            }
        }
    }

    /// Every route of objects must be in the table, so that a new route gets access tests.
    @Test func everyRouteOfObjectsIsCoveredByTheTableOfAccessTests() throws {
        let ways = ObjectWay.reads + ObjectWay.readsOfMaster + ObjectWay.mute + ObjectWay.writes
        let covered = Set(ways.flatMap(\.routes))
        // The routes of a built-in class do the same as those of `/classes`, so the table does not repeat them.
        let named = ["Users", "User", "Installations", "Installation", "Roles", "Role", "Sessions", "Session"]
        for route in try AccountClient().api.table.routes where route.policy.right == .permissions {
            guard !named.contains(where: { route.name.hasSuffix($0) }), route.name != "signUp" else { continue }
            #expect(covered.contains(route.name), "\(route.name)")
        }
        #expect(covered.isSuperset(of: ["listChanges", "batch"]))
    }
}
