import HTTPTypes
import WebSocketFrames

/// Reads the server's answer to the handshake of a WebSocket (RFC 6455 §4.1).
struct WebSocketAnswer {
    enum Outcome {
        /// The head is not complete yet.
        case incomplete
        case wrong(WebSocketClientError)
        /// The WebSocket is open. The bytes have arrived after the head.
        case open([UInt8])
    }

    private let key: String
    private var received: [UInt8] = []
    /// The maximum length of the head in bytes.
    private static let bytesMax = 64 << 10
    private static let end = Array("\r\n\r\n".utf8)

    /// - Parameter key: the key that the client has sent.
    init(key: String) { self.key = key }

    /// Adds received bytes.
    mutating func add(_ bytes: [UInt8]) -> Outcome {
        // The end of the head can begin in the earlier bytes.
        let start = max(0, received.count - Self.end.count)
        received += bytes
        guard let end = received[start...].firstRange(of: Self.end) else {
            return received.count < Self.bytesMax ? .incomplete : .wrong(.wrongHandshake)
        }
        guard let head = String(validating: received[..<end.lowerBound], as: UTF8.self) else {
            return .wrong(.wrongHandshake)
        }
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            return .wrong(.wrongHandshake)
        }
        guard status == 101 else { return .wrong(.refused(status: status)) }
        var headers = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { return .wrong(.wrongHandshake) }
            headers.append(HTTPField(name: name, value: String(parts[1].drop { $0 == " " || $0 == "\t" })))
        }
        let extras = ["Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol"].compactMap { HTTPField.Name($0) }
        guard headers[.upgrade]?.lowercased() == "websocket", headers[.connection]?.lowercased() == "upgrade",
            let accept = HTTPField.Name("Sec-WebSocket-Accept"), headers[accept] == WebSocketKey.answer(to: key),
            // The client has asked for neither of these.
            !extras.contains(where: { headers[$0] != nil })
        else { return .wrong(.wrongHandshake) }
        return .open(Array(received[end.upperBound...]))
    }
}
