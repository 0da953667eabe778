/// Limits the memory for the bodies of all requests in progress, and for the JSON values in them.
struct BodyMemory: Sendable {
    let bytesMax: Int
    let budget: ByteBudget
    private let valueBytes: Int

    /// - Parameters:
    ///   - bytesMax: the limit for all bodies together.
    ///   - valueBytes: the memory in bytes that each JSON value needs besides its text; 0 if bodies are not parsed.
    init(bytesMax: Int, valueBytes: Int) {
        self.bytesMax = bytesMax
        self.valueBytes = valueBytes
        budget = ByteBudget(bytesMax: bytesMax)
    }

    /// The memory in bytes that a piece of a body needs. The length of a JSON text says little: `[[[[` has a value in
    /// each byte. Before each value but the first stands a `,`, `:`, `[` or `{`. Such characters inside strings count,
    /// too, so the result can be too large.
    func need(of piece: UnsafeRawBufferPointer) -> Int {
        guard valueBytes > 0 else { return piece.count }
        var values = 0
        for byte in piece {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): values += 1
            default: break
            }
        }
        return piece.count + values * valueBytes
    }
}
