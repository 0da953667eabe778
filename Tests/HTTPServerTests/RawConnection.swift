import Foundation
import Testing

/// A TCP client that sends raw bytes. Each wait fails the test after 60 s.
final class RawConnection: Sendable {
    private let descriptor: Int32

    init(port: UInt16) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let sent = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, noSignal) }
            guard sent > 0 else { return }
            bytes = bytes.dropFirst(sent)
        }
    }

    /// Closes the connection in a way that resets it.
    func reset() {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        #if canImport(Darwin)
            let any = AF_UNSPEC
        #else
            let any = Int32(AF_UNSPEC)
        #endif
        // A connect to no address disconnects, and keeps the descriptor for `deinit`.
        var address = sockaddr()
        address.sa_family = sa_family_t(any)
        _ = connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Limits the kernel's buffer of received bytes.
    func limitReceiveBuffer() {
        var bytes: Int32 = 32768
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads the bytes of the next packet.
    /// - Returns: nil when the server has closed the connection.
    func receiveBytes() async -> [UInt8]? {
        let (bytes, isInTime) = await withCheckedContinuation { continuation in
            Thread { [self] in
                var buffer = [UInt8](repeating: 0, count: 65536)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                let isInTime = count >= 0 || ![EAGAIN, EWOULDBLOCK].contains(errno)
                continuation.resume(returning: (count > 0 ? Array(buffer[..<count]) : nil, isInTime))
            }.start()
        }
        #expect(isInTime, "the server has neither sent anything nor closed the connection")
        return bytes
    }

    /// Closes the sending side.
    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads until `text` arrives or the server closes the connection, and returns everything read.
    func receive(until text: String) async -> String {
        await read { $0.contains(text) }
    }

    /// Reads until the server closes the connection, and returns everything read.
    func receiveAll() async -> String {
        await read { _ in false }
    }

    /// Reads on a dedicated thread, because `recv` blocks.
    private func read(until isEnough: @escaping @Sendable (String) -> Bool) async -> String {
        let (text, isInTime) = await readInTime(until: isEnough)
        #expect(isInTime, "the server has neither sent enough nor closed the connection: \(text.suffix(200))")
        return text
    }

    private func readInTime(
        until isEnough: @escaping @Sendable (String) -> Bool
    ) async -> (text: String, isInTime: Bool) {
        await withCheckedContinuation { continuation in
            let thread = Thread { [self] in
                var received: [UInt8] = []
                var isInTime = true
                var buffer = [UInt8](repeating: 0, count: 65536)
                while !isEnough(String(decoding: received, as: UTF8.self)) {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else {
                        isInTime = count == 0 || ![EAGAIN, EWOULDBLOCK].contains(errno)
                        break
                    }
                    received += buffer[..<count]
                }
                continuation.resume(returning: (String(decoding: received, as: UTF8.self), isInTime))
            }
            thread.start()
        }
    }
}

#if canImport(Darwin)
    private let noSignal: Int32 = 0
#else
    private let noSignal = Int32(MSG_NOSIGNAL)
#endif
