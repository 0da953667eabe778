import ParseModel
import Testing

@testable import Gateway

/// Rows about users and sessions.
enum UserRows {
    static let rows = [
        CompatibilityRow("wrong-name-in-a-change", seven: "400/111 400/200", nine: "400/200 400/200") {
            try await changes(of: "username", in: $0)
        },
        CompatibilityRow("wrong-password-in-a-change", seven: "400/111 400/201", nine: "400/201 400/201") {
            try await changes(of: "password", in: $0)
        },
    ]

    /// The answers to a number and to the empty string, which are those for the master key too.
    private static func changes(of field: String, in gateway: CompatibilityGateway) async throws -> String {
        let ada = try await gateway.signUp("ada")
        var answers: [String] = []
        for value in [5, ""] as [JSONValue] {
            let answer = try await gateway.send("PUT /users/\(ada.id)", [field: value], as: ada)
            let ofMaster = try await gateway.send("PUT /users/\(ada.id)", [field: value], master: true)
            #expect(answer.codes == ofMaster.codes)
            answers.append(answer.codes)
        }
        return answers.joined(separator: " ")
    }
}
