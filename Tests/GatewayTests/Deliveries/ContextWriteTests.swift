import ParseModel
import Testing

@testable import Gateway

/// Tests writes whose wish about the remote is in the context, as SDKs send it.
@Suite("Writes with a wish in the context")
struct ContextWriteTests {
    /// The SDK for JavaScript sends a request again after a status of 500 or above, so a payment would be made twice.
    @Test func lostAnswerToAWishInTheContextIsNoStatusThatSDKsRepeat() async throws {
        let world = try await World.make(allowsChosenIds: true)
        try await world.replica.sync()
        world.loseNextWrite(.replyLost)
        let body: JSONObject = ["n": 1, "_context": ["tidegate": ["remote": "only"]]]
        let answer = try await world.client(isImpatient: false).send("POST /classes/Holiday", body)
        #expect(answer.status == 400 && answer.code == 124 && answer.state == "unknown", "\(answer.body)")
        #expect(answer.body["entry"]?.string != nil)
    }
}
