import LocalStore
import ParseModel
import Testing

struct ConfigTests {
    @Test func theConfigSurvivesARestart() async throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try LocalStore.make(in: directory)
            #expect(try store.config() == nil)
            try await store.changeConfig { before in
                #expect(before == nil)
                return #"{"a":1}"#
            }
        }
        #expect(try LocalStore.make(in: directory).config() == #"{"a":1}"#)
    }

    @Test func concurrentConfigChangesAreAppliedOneAfterTheOther() async throws {
        let store = try LocalStore.make()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await store.changeConfig { String((Int($0 ?? "") ?? 0) + 1) } }
            }
            try await group.waitForAll()
        }
        #expect(try store.config() == "20")
    }

    @Test func aFailedConfigChangeChangesNothing() async throws {
        let store = try LocalStore.make()
        await #expect(throws: ParseError.objectNotFound) {
            try await store.changeConfig { _ in throw ParseError.objectNotFound }
        }
        #expect(try store.config() == nil)
    }
}
