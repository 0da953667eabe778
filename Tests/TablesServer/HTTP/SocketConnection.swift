import Foundation

/// The server's side of one connection: reads requests and writes responses until either side closes.
struct SocketConnection {
    let descriptor: Int32
    let headBytesMax: Int
    private var received = Data()

    init(descriptor: Int32, headBytesMax: Int) {
        self.descriptor = descriptor
        self.headBytesMax = headBytesMax
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Answers requests until the client disconnects, or until the handler returns nil or a last response. The caller closes
    /// the descriptor.
    consuming func serve(_ handler: SocketServer.Handler) {
        while let request = readRequest() {
            guard request.headBytes <= headBytesMax else {
                send(TablesAnswer(status: 431, isLast: true).bytes(hasBody: true))
                return
            }
            guard let answer = handler(request.request) else { return }
            guard send(answer.bytes(hasBody: request.request.method != "HEAD")), !answer.isLast else { return }
        }
    }

    /// Reads the next request.
    /// - Returns: nil at the end of the input, and for an invalid request.
    private mutating func readRequest() -> (request: TablesRequest, headBytes: Int)? {
        let headEnd = Data("\r\n\r\n".utf8)
        var end = received.range(of: headEnd)
        while end == nil {
            guard receive() else { return nil }
            end = received.range(of: headEnd)
        }
        guard let end else { return nil }
        let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        let headBytes = end.upperBound - received.startIndex
        received.removeSubrange(..<end.upperBound)
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 || line.hasSuffix(":") else { return nil }
            let value = parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            headers[parts[0].lowercased()] = value
        }
        guard let body = readBody(count: Int(headers["content-length"] ?? "0") ?? 0) else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let request = TablesRequest(
            method: words[0], path: String(target[0]), query: target.count > 1 ? String(target[1]) : nil,
            headers: headers, body: body)
        return (request, headBytes)
    }

    private mutating func readBody(count: Int) -> [UInt8]? {
        while received.count < count { guard receive() else { return nil } }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// - Returns: false at the end of the input.
    private mutating func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received.append(contentsOf: buffer[..<count])
        return true
    }

    /// - Returns: false if the client has disconnected.
    @discardableResult
    private func send(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Foundation.send(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent, flags)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
