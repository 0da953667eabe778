import ParseModel
import Testing

@Suite struct EnvironmentTests {
    @Test(arguments: [0, UInt64.max, 0x1234_5678_9ABC_DEF0]) func generatedObjectIdsHaveTheParseFormat(random: UInt64) {
        let environment = Environment(
            now: { ParseDate(milliseconds: 0) }, uptime: { .zero }, random: { random }, sleep: { _ in })
        for (id, length) in [(environment.objectId(), 10), (environment.requestId(), 20)] {
            #expect(id.utf8.count == length)
            #expect(id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) })
        }
    }
}
