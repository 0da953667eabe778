import Testing
import WebSocketFrames

struct WebSocketCodecTests {
    private let server = WebSocketCodec.server()
    private let client = WebSocketCodec.client()

    @Test func aTextArrivesWhole() {
        #expect(server.receive(Frames.make(Frames.text, "Hello")) == [.text(Array("Hello".utf8))])
        server.sendText(Array("Hello".utf8))
        // The unmasked example of RFC 6455 §5.7.
        #expect(server.output == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        #expect(client.receive(server.takeOutput()) == [.text(Array("Hello".utf8))])
    }

    @Test func aClientMasksItsFrames() {
        client.sendText(Array("Hello".utf8))
        #expect(client.output[1] == 0x85)
        #expect(Array(client.output.suffix(5)) != Array("Hello".utf8))
        #expect(server.receive(client.takeOutput()) == [.text(Array("Hello".utf8))])
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536, 200_000])
    func aTextOfAnyLengthArrives(count: Int) {
        let text = [UInt8](repeating: 0x61, count: count)
        let (server, client) = (
            WebSocketCodec.server(messageBytesMax: 200_000), WebSocketCodec.client(messageBytesMax: 200_000)
        )
        client.sendText(text)
        #expect(server.receive(client.takeOutput()) == [.text(text)])
        server.sendText(text)
        #expect(client.receive(server.takeOutput()) == [.text(text)])
    }

    @Test func controlFramesMayArriveBetweenFragments() {
        var bytes = Frames.make(Frames.text, "Hel", isFinal: false)
        bytes += Frames.make(Frames.ping, "p")
        bytes += Frames.make(Frames.continuation, "", isFinal: false)
        bytes += Frames.make(Frames.pong, "q")
        bytes += Frames.make(Frames.continuation, "lo")
        var events: [WebSocketCodec.Event] = []
        for byte in bytes { events += server.receive([byte]) }
        #expect(events == [.pong(Array("q".utf8)), .text(Array("Hello".utf8))])
        #expect(server.output == Frames.make(Frames.pong, "p", isMasked: false))
    }

    @Test func aCharacterMayBeSplitBetweenFragments() {
        let bytes = Array("ä€𝄞".utf8)
        var frames: [UInt8] = Frames.make(Frames.text, [], isFinal: false)
        for byte in bytes { frames += Frames.make(Frames.continuation, [byte], isFinal: false) }
        frames += Frames.make(Frames.continuation, [])
        #expect(server.receive(frames) == [.text(bytes)])
    }

    /// wslay itself would send a ping before texts that were queued earlier.
    @Test func framesAreSentInTheOrderOfTheCalls() {
        server.sendText(Array("a".utf8))
        server.sendPing(Array("b".utf8))
        server.sendText(Array("c".utf8))
        server.sendClose(code: 1001, reason: "d")
        server.sendText(Array("late".utf8))
        let expected =
            Frames.make(Frames.text, "a", isMasked: false) + Frames.make(Frames.ping, "b", isMasked: false)
            + Frames.make(Frames.text, "c", isMasked: false)
            + Frames.make(Frames.close, [0x03, 0xE9, 0x64], isMasked: false)
        #expect(server.takeOutput() == expected)
    }

    @Test func aCloseIsAnsweredWithItsCode() {
        #expect(server.receive(Frames.make(Frames.close, [0x0F, 0xA0] + Array("bye".utf8))) == [.close(code: 4000)])
        #expect(server.output == Frames.make(Frames.close, [0x0F, 0xA0] + Array("bye".utf8), isMasked: false))
        #expect(server.isOver)
        #expect(server.receive(Frames.make(Frames.text, "late")) == [])
    }

    @Test func aCloseWithoutACodeIsAnswered() {
        #expect(server.receive(Frames.make(Frames.close, [])) == [.close(code: nil)])
        #expect(server.output == [0x88, 0])
        #expect(server.isOver)
    }

    @Test func aCloseOfThisSideEndsWithTheOtherOne() {
        server.sendClose(code: 1000, reason: "")
        #expect(!server.isOver)
        #expect(server.receive(Frames.make(Frames.text, "on its way")).count == 1)
        #expect(server.receive(Frames.make(Frames.close, [0x03, 0xE8])) == [.close(code: 1000)])
        #expect(server.takeOutput() == Frames.serverClose(1000))
        #expect(server.isOver)
    }

    @Test func aLongReasonIsCutBetweenCharacters() {
        server.sendClose(code: 1000, reason: String(repeating: "€", count: 60))
        #expect(server.output.count == 2 + 2 + 123)
        #expect(client.receive(server.takeOutput()) == [.close(code: 1000)])
    }

    @Test func aLongPingIsCut() {
        server.sendPing([UInt8](repeating: 1, count: 200))
        #expect(server.output == Frames.make(Frames.ping, [UInt8](repeating: 1, count: 125), isMasked: false))
    }

    struct WrongFrames: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let code: UInt16

        init(_ name: String, _ code: UInt16, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
            self.code = code
        }
    }

    static let long = [UInt8](repeating: 0x61, count: 126)

    @Test(arguments: [
        WrongFrames("unmasked", 1002, Frames.make(Frames.text, "a", isMasked: false)),
        WrongFrames("reserved bit", 1002, [0xC1, 0x80, 0, 0, 0, 0]),
        WrongFrames("reserved opcode", 1002, Frames.make(3, "")),
        WrongFrames("reserved control opcode", 1002, Frames.make(11, "")),
        WrongFrames("continuation of nothing", 1002, Frames.make(Frames.continuation, "a")),
        WrongFrames(
            "text in a text", 1002, Frames.make(Frames.text, "a", isFinal: false) + Frames.make(Frames.text, "b")),
        WrongFrames("fragmented ping", 1002, Frames.make(Frames.ping, "a", isFinal: false)),
        WrongFrames("long ping", 1002, Frames.make(Frames.ping, long)),
        WrongFrames("long close", 1002, Frames.make(Frames.close, long)),
        WrongFrames("long form of a short length", 1002, [0x81, 0xFE, 0, 5, 0, 0, 0, 0] + Array("hello".utf8)),
        WrongFrames("negative length", 1002, [0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        WrongFrames("close of one byte", 1002, Frames.make(Frames.close, [3])),
        WrongFrames("close with a code that is not sent", 1002, Frames.make(Frames.close, [0x03, 0xED])),
        WrongFrames("close with a code of no meaning", 1002, Frames.make(Frames.close, [0, 1])),
        WrongFrames("close with invalid UTF-8", 1007, Frames.make(Frames.close, [0x03, 0xE8, 0xFF])),
        WrongFrames("binary", 1003, Frames.make(Frames.binary, "a")),
        WrongFrames("invalid UTF-8", 1007, Frames.make(Frames.text, [0xFF])),
        WrongFrames("surrogate", 1007, Frames.make(Frames.text, [0xED, 0xA0, 0x80])),
        WrongFrames("incomplete character", 1007, Frames.make(Frames.text, [0xC3])),
        WrongFrames("long text", 1009, Frames.make(Frames.text, [UInt8](repeating: 0x61, count: 1001))),
        WrongFrames(
            "long fragments", 1009,
            Frames.make(Frames.text, [UInt8](repeating: 0x61, count: 1000), isFinal: false)
                + Frames.make(Frames.continuation, "a")),
        WrongFrames("endless text", 1009, [0x81, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    ])
    func wrongFramesFailWithTheirCode(wrong: WrongFrames) {
        #expect(server.receive(Frames.make(Frames.text, "before")) == [.text(Array("before".utf8))])
        #expect(server.receive(wrong.bytes + Frames.make(Frames.text, "after")) == [])
        #expect(server.failure == wrong.code)
        #expect(server.output == Frames.serverClose(wrong.code))
        #expect(server.isOver)
        #expect(server.bytesBuffered == 0)
        #expect(server.receive(Frames.make(Frames.ping, "a")) == [])
        #expect(server.output.count == 4)
    }

    @Test(arguments: [Frames.make(Frames.text, "a", isMasked: false), Frames.make(Frames.ping, long)])
    func aWrongFrameAfterACloseSendsNoSecondClose(frame: [UInt8]) {
        server.sendClose(code: 1000, reason: "")
        #expect(server.receive(frame) == [])
        #expect(server.isOver)
        #expect(server.output == Frames.serverClose(1000))
    }

    @Test func aMaskedFrameOfTheServerIsWrong() {
        #expect(client.receive(Frames.make(Frames.text, "a")) == [])
        #expect(client.failure == 1002)
    }

    @Test func fragmentsOfAByteTakeNoMoreMemoryThanTheirText() {
        let server = WebSocketCodec.server(messageBytesMax: 20_000)
        #expect(server.receive(Frames.make(Frames.text, "a", isFinal: false)) == [])
        let fragment = Frames.make(Frames.continuation, "a", isFinal: false)
        for _ in 1..<20_000 { #expect(server.receive(fragment) == []) }
        #expect(server.bytesBuffered == 20_000)
        #expect(server.receive(fragment) == [])
        #expect(server.failure == 1009)
    }

    /// The example of RFC 6455 §1.3.
    @Test func aKeyIsAnswered() {
        #expect(WebSocketKey.answer(to: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(WebSocketKey.isValid("dGhlIHNhbXBsZSBub25jZQ=="))
        #expect(
            !["", "short", "dGhlIHNhbXBsZSBub25j", "dGhlIHNhbXBsZSBub25jZQ", "!!!!"].contains(
                where: WebSocketKey.isValid))
    }
}
