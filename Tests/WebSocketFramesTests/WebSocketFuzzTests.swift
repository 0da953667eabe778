import Testing
import WebSocketFrames

/// Sends random bytes to a codec. Each failure prints the seed.
struct WebSocketFuzzTests {
    private static let messageBytesMax = 300

    /// xorshift64*, so that a seed repeats its run.
    private struct SeededGenerator: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

        mutating func next() -> UInt64 {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return state &* 0x2545_F491_4F6C_DD1D
        }
    }

    @Test(arguments: 1...400)
    func anyBytesEndInACloseOrInAnOpenSocket(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let server = WebSocketCodec.server(messageBytesMax: Self.messageBytesMax)
        let client = WebSocketCodec.client(messageBytesMax: .max)
        var bytes = (0..<Int.random(in: 1...20, using: &random)).flatMap { _ in Self.frame(&random) }
        for _ in 0..<Int.random(in: 0...3, using: &random) where Bool.random(using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        }
        var rest = bytes[...]
        var answers: [WebSocketCodec.Event] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...rest.count, using: &random))
            rest = rest.dropFirst(piece.count)
            for case .text(let text) in server.receive(piece) {
                #expect(text.count <= Self.messageBytesMax && String(validating: text, as: UTF8.self) != nil)
            }
            #expect(server.bytesBuffered <= Self.messageBytesMax)
            // A pong has at most the length of its ping.
            #expect(server.output.count <= piece.count + 130)
            if Int.random(in: 0..<20, using: &random) == 0 { server.sendText(Array("from the server".utf8)) }
            if Int.random(in: 0..<200, using: &random) == 0 { server.sendClose(code: 1000, reason: "") }
            answers += client.receive(server.takeOutput())
        }
        #expect(client.failure == nil, "the server sends only correct frames")
        let closes = answers.filter { if case .close = $0 { true } else { false } }
        #expect(closes.count == (server.isCloseQueued ? 1 : 0))
        if server.failure != nil || server.isCloseReceived { #expect(server.isOver && closes.count == 1) }
    }

    /// A frame that is correct in most cases.
    private static func frame(_ random: inout SeededGenerator) -> [UInt8] {
        let opcodes: [UInt8] = [0, 1, 1, 1, 1, 9, 9, 10, 10, 0, 1, 8, 2, 7]
        let opcode = opcodes[
            Int.random(in: 0..<(opcodes.count - (Int.random(in: 0..<8, using: &random) > 0 ? 3 : 0)), using: &random)]
        let count = Int.random(in: 0...(opcode < 8 ? 200 : 125), using: &random)
        var payload = (0..<count).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
        if opcode == 8, count > 1 { payload.replaceSubrange(0..<2, with: [0x03, 0xE8]) }
        return Frames.make(opcode, payload, isFinal: opcode >= 8 || Int.random(in: 0..<3, using: &random) > 0)
    }
}
