import WebSocketFrames

/// Makes the bytes of single frames, also of wrong ones.
enum Frames {
    static let (continuation, text, binary, close, ping, pong): (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) =
        (0, 1, 2, 8, 9, 10)

    /// A frame with the shortest encoding of its length.
    static func make(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isMasked: Bool = true) -> [UInt8] {
        var bytes = [opcode | (isFinal ? 0x80 : 0)]
        let mask: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(mask | UInt8(payload.count))
        case ...0xFFFF: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [mask | 127] + (0..<8).map { UInt8(payload.count >> (8 * (7 - $0)) & 0xFF) }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        return bytes + key + payload.enumerated().map { $0.element ^ key[$0.offset % 4] }
    }

    static func make(_ opcode: UInt8, _ payload: String, isFinal: Bool = true, isMasked: Bool = true) -> [UInt8] {
        make(opcode, Array(payload.utf8), isFinal: isFinal, isMasked: isMasked)
    }

    /// A close frame as the server sends it.
    static func serverClose(_ code: UInt16) -> [UInt8] {
        make(close, [UInt8(code >> 8), UInt8(code & 0xFF)], isMasked: false)
    }
}

extension WebSocketCodec {
    static func server(messageBytesMax: Int = 1000) -> WebSocketCodec {
        guard let codec = WebSocketCodec(.server, messageBytesMax: messageBytesMax) else {
            preconditionFailure("no memory")
        }
        return codec
    }

    static func client(messageBytesMax: Int = 1000, mask: UInt32 = 0x1234_5678) -> WebSocketCodec {
        guard let codec = WebSocketCodec(.client(mask: { mask }), messageBytesMax: messageBytesMax) else {
            preconditionFailure("no memory")
        }
        return codec
    }

    func receive(_ bytes: some Collection<UInt8>) -> [Event] { Array(bytes).withUnsafeBytes { receive($0) } }

    func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}
