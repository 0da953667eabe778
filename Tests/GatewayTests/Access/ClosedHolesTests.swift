import Foundation
import ParseModel
import Testing

/// Attacks that a standalone gateway must refuse and that no published advisory describes. `AdvisoryTests` tests the
/// advisories. The name of a probe says what the gateway refuses.
@Suite("Closed vulnerabilities without an advisory")
struct ClosedHolesTests {
    struct Probe: Sendable, CustomTestStringConvertible {
        let refused: String
        /// Sends the attack, and returns whether the gateway refuses it.
        let isRefused: @Sendable (inout RightsWorld) async throws -> Bool

        init(_ refused: String, _ isRefused: @escaping @Sendable (inout RightsWorld) async throws -> Bool) {
            (self.refused, self.isRefused) = (refused, isRefused)
        }

        var testDescription: String { refused }
    }

    @Test(arguments: fields + counts + logIns)
    func eachKnownWayToBypassAccessRightsIsRefused(probe: Probe) async throws {
        var world = try await RightsWorld()
        #expect(try await probe.isRefused(&world))
    }

    // MARK: Protected fields

    /// Lets everybody perform all operations on the class, and only the master key see one field.
    private static func protect(_ world: RightsWorld, _ field: String = "text") async throws {
        var permissions: JSONObject = ["protectedFields": ["*": [.string(field)]]]
        for operation in ["find", "get", "count", "create", "update", "delete"] { permissions[operation] = ["*": true] }
        try await world.permit(permissions)
    }

    private static let marker = JSONValue.string(RightsWorld.marker)

    static let fields: [Probe] = [
        Probe("a guess of a protected field by a write") { world in
            try await protect(world)
            let body: JSONObject = ["text": marker, "_base": "2001-01-01T00:00:00.000Z"]
            return try await world.send(.eve, "PUT", "/classes/Secret/\(world.secret)", body).status == 412
        },
        Probe("the type of a protected value, by an operation that does not fit it") { world in
            try await protect(world)
            for (name, operation) in [
                ("text", ["__op": "Increment", "amount": 1]), ("text.deep", 1),
                ("text.deep", ["__op": "Add", "objects": [1]]),
            ] as [(String, JSONValue)] {
                let answer = try await world.send(.eve, "PUT", "/classes/Secret/\(world.secret)", [name: operation])
                guard answer.code == 111, !answer.text.contains("String"), !answer.text.contains("Number") else {
                    return false
                }
            }
            return true
        },
        Probe("the result of an operation on a protected field") { world in
            try await protect(world, "n")
            let body: JSONObject = ["n": ["__op": "Increment", "amount": 1]]
            let answer = try await world.send(.eve, "PUT", "/classes/Secret/\(world.secret)", body)
            return answer.status == 200 && answer.json["n"] == nil
        },
    ]

    static let counts: [Probe] = [
        Probe("the number of objects of a class that may not be counted") { world in
            try await world.permit(["find": ["*": true], "get": ["*": true], "count": [:]])
            return try await world.find(.eve, "Secret", ["count": 1]).code == 119
        }
    ]

    // MARK: Log-in

    private static func isSilent(_ world: RightsWorld, _ route: String) async throws -> Bool {
        _ = try await world.send(.master, "PUT", "/users/\(try world.id(of: .nina))", ["ACL": [:]])
        var answers: Set<String> = []
        for (name, password) in [("nobody", "secret"), ("ada", "wrong"), ("nina", "secret")] {
            let body: JSONObject = ["username": .string(name), "password": .string(password)]
            answers.insert(try await world.send(.everybody, "POST", route, body).text)
        }
        return answers.count == 1 && answers.first?.contains("Invalid username") == true
    }

    static let logIns: [Probe] = [
        Probe("a hint by /login") { try await isSilent($0, "/login") },
        Probe("a hint by /verifyPassword") { try await isSilent($0, "/verifyPassword") },
    ]
}
