import Foundation
import HTTPTypes

/// Accepted connections that libmicrohttpd does not have yet. A connection is pending while the head of its first request is
/// incomplete or refused, or while the connection limit is reached. Pending connections do not count toward the limit.
///
/// Used on the accepting thread only.
struct PendingConnections {
    struct PendingConnection {
        let descriptor: Int32
        let address: sockaddr_storage
        let acceptedAt: Duration
        var stage = Stage.arriving(bytesSeen: 0)
    }

    enum Stage {
        /// Receiving the head.
        case arriving(bytesSeen: Int)
        /// The head is complete and valid.
        case ready
        /// An error response was sent. Further bytes are discarded until the given time, because closing at once could reset the
        /// connection before the client has read the response.
        case refused(until: Duration)
    }

    private(set) var entries: [PendingConnection] = []
    private let headCheck: HeadCheck
    private let handover: Handover
    private let timeMax: Duration
    private let refusal: HTTPServer.Refusal
    private var buffer: [UInt8]
    /// The maximum number of pending connections. At this number, a new connection replaces the oldest connection whose head is
    /// incomplete or refused.
    private static let entriesMax = 512
    private static let refusedTimeMax = Duration.seconds(2)

    /// - Parameters:
    ///   - handover: the part of the first request that must have arrived before a connection is handed over.
    ///   - timeMax: the maximum time from accepting a connection until this part has arrived.
    init(limit: HeadLimit, handover: Handover, timeMax: Duration, refusal: @escaping HTTPServer.Refusal) {
        self.handover = handover
        headCheck = HeadCheck(limit: limit)
        self.timeMax = timeMax
        self.refusal = refusal
        buffer = [UInt8](repeating: 0, count: limit.inspectedBytesMax)
    }

    /// Whether there are `entriesMax` pending connections, all with a complete head. No further connection is then accepted.
    var isFull: Bool { entries.count >= Self.entriesMax && entries.allSatisfy(\.isReady) }

    mutating func add(_ descriptor: Int32, _ address: sockaddr_storage, now: Duration) {
        if entries.count >= Self.entriesMax { dropOldest() }
        var entry = PendingConnection(descriptor: descriptor, address: address, acceptedAt: now)
        if receive(on: &entry, now) { entries.append(entry) }
    }

    /// Reads from the readable connections. Then enforces the time limit of every connection whose head is incomplete or refused.
    /// - Parameter readable: the descriptors that `poll` has reported.
    mutating func update(readable: Set<Int32>, now: Duration) {
        var remaining: [PendingConnection] = []
        for var entry in entries {
            if readable.contains(entry.descriptor), !receive(on: &entry, now) { continue }
            if entry.isReady || enforceTimeLimit(&entry, now) { remaining.append(entry) }
        }
        entries = remaining
    }

    /// Removes the oldest connection with a complete head that meets the condition, and returns it.
    mutating func takeReady(where condition: (_ descriptor: Int32) -> Bool) -> PendingConnection? {
        entries.firstIndex { $0.isReady && condition($0.descriptor) }.map { entries.remove(at: $0) }
    }

    /// Closes the oldest connection whose head is incomplete or refused, to free its descriptor.
    mutating func dropOldest() {
        guard let oldest = entries.firstIndex(where: { !$0.isReady }) else { return }
        _ = close(entries.remove(at: oldest).descriptor)
    }

    /// Closes all connections.
    mutating func closeAll() {
        for entry in entries { _ = close(entry.descriptor) }
        entries = []
    }

    /// Reads the received bytes of a connection.
    /// - Returns: false if the connection was closed.
    private mutating func receive(on entry: inout PendingConnection, _ now: Duration) -> Bool {
        switch entry.stage {
        case .ready: return true
        case .refused:
            let count = recv(entry.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 || count < 0 && Self.isTransient(errno) { return true }
            _ = close(entry.descriptor)
            return false
        case .arriving:
            let count = recv(entry.descriptor, &buffer, buffer.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            guard count > 0 else {
                if count < 0, Self.isTransient(errno) { return true }
                _ = close(entry.descriptor)
                return false
            }
            if case .arriving(let bytesSeen) = entry.stage, bytesSeen == count {
                // No new byte has arrived. Below its low-water mark, a connection is readable only after its client has closed
                // its side.
                _ = close(entry.descriptor)
                return false
            }
            switch handover {
            case .withHead: checkHead(&entry, count, now)
            case .encrypted: entry.stage = .ready
            }
            return true
        }
    }

    private func checkHead(_ entry: inout PendingConnection, _ count: Int, _ now: Duration) {
        switch buffer.withUnsafeBytes({ headCheck.verdict(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) {
        case .incomplete:
            entry.stage = .arriving(bytesSeen: count)
            // The head stays in the socket buffer for libmicrohttpd. The low-water mark of the socket prevents wake-ups
            // until more bytes arrive.
            Self.setLowWater(entry.descriptor, count + 1)
        case .passed:
            entry.stage = .ready
            Self.setLowWater(entry.descriptor, 1)
        case .refused(let status, let head): refuse(&entry, refusal(status, head), now)
        }
    }

    /// Checks the time limit of a connection. At the limit, a partial head is answered with status 408. A connection without any
    /// byte, or with a refused head, is closed.
    /// - Returns: false if the connection was closed.
    private func enforceTimeLimit(_ entry: inout PendingConnection, _ now: Duration) -> Bool {
        switch entry.stage {
        case .ready: return true
        case .arriving(let bytesSeen):
            guard now - entry.acceptedAt > timeMax else { return true }
            if bytesSeen > 0 {
                refuse(&entry, refusal(.requestTimeout, nil), now)
                return true
            }
        case .refused(let end): if now < end { return true }
        }
        _ = close(entry.descriptor)
        return false
    }

    private func refuse(_ entry: inout PendingConnection, _ response: HTTPServerResponse, _ now: Duration) {
        let bytes = response.wholeText
        // The response is small and the first on its connection, so the socket buffer has room for it.
        _ = bytes.withUnsafeBytes { send(entry.descriptor, $0.baseAddress, $0.count, noSignal) }
        _ = shutdown(entry.descriptor, Int32(SHUT_WR))
        Self.setLowWater(entry.descriptor, 1)
        entry.stage = .refused(until: now + Self.refusedTimeMax)
    }

    private static func setLowWater(_ descriptor: Int32, _ count: Int) {
        var count = Int32(clamping: count)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func isTransient(_ code: Int32) -> Bool { [EAGAIN, EWOULDBLOCK, EINTR].contains(code) }
}

extension PendingConnections.PendingConnection {
    var isReady: Bool { if case .ready = stage { true } else { false } }
}

extension HTTPServerResponse {
    /// The response as bytes of HTTP/1.1, for sending without libmicrohttpd. The connection closes after the response.
    fileprivate var wholeText: [UInt8] {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in headers { text += "\(field.name.rawName): \(field.value)\r\n" }
        text += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(text.utf8) + body
    }
}
