import Foundation
import HTTPTypes

/// Connections that have not sent the whole head of a first request yet. They take no place among the others, so that
/// clients which send slowly, or nothing, keep out none.
///
/// Used on the accepting thread only.
struct Vestibule {
    struct Guest {
        let descriptor: Int32
        let address: sockaddr_storage
        let since: Duration
        var stage = Stage.arriving(bytesSeen: 0)
    }

    enum Stage {
        case arriving(bytesSeen: Int)
        /// The head is whole and in order.
        case ready
        /// Refused: further bytes of the client are swallowed, so that it reads the refusal instead of a reset connection.
        case leaving(until: Duration)
    }

    private(set) var guests: [Guest] = []
    private let check: HeadCheck
    private let timeMax: Duration
    private let refusal: HTTPServer.Refusal
    private var buffer: [UInt8]
    /// Further ones take the place of the oldest.
    private static let guestsMax = 512
    private static let leavingTime = Duration.seconds(2)

    /// - Parameter timeMax: how long a whole head may take.
    init(limit: HeadLimit, timeMax: Duration, refusal: @escaping HTTPServer.Refusal) {
        check = HeadCheck(limit: limit)
        self.timeMax = timeMax
        self.refusal = refusal
        buffer = [UInt8](repeating: 0, count: limit.bytesToLookAt)
    }

    /// No place is free: each guest waits for a place among the connections.
    var isFull: Bool { guests.count >= Self.guestsMax && guests.allSatisfy(\.isReady) }

    mutating func enter(_ descriptor: Int32, _ address: sockaddr_storage, now: Duration) {
        if guests.count >= Self.guestsMax { dropOldest() }
        var guest = Guest(descriptor: descriptor, address: address, since: now)
        if look(at: &guest, now) { guests.append(guest) }
    }

    /// Looks at guests that have sent something, and ends those that have taken too long.
    /// - Parameter awake: descriptors with something to read.
    mutating func look(_ awake: Set<Int32>, now: Duration) {
        var staying: [Guest] = []
        for var guest in guests {
            if awake.contains(guest.descriptor), !look(at: &guest, now) { continue }
            if guest.isReady || endInTime(&guest, now) { staying.append(guest) }
        }
        guests = staying
    }

    /// Takes out the one that has waited longest with a whole head.
    mutating func takeReady() -> Guest? {
        guests.firstIndex(where: \.isReady).map { guests.remove(at: $0) }
    }

    /// Gives up the one that has been here longest without a whole head, for a descriptor that is needed.
    mutating func dropOldest() {
        guard let oldest = guests.firstIndex(where: { !$0.isReady }) else { return }
        _ = close(guests.remove(at: oldest).descriptor)
    }

    /// Closes all.
    mutating func leave() {
        for guest in guests { _ = close(guest.descriptor) }
        guests = []
    }

    /// - Returns: false where the connection is closed.
    private mutating func look(at guest: inout Guest, _ now: Duration) -> Bool {
        switch guest.stage {
        case .ready: return true
        case .leaving:
            let count = recv(guest.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 || count < 0 && Self.isTransient(errno) { return true }
            _ = close(guest.descriptor)
            return false
        case .arriving:
            let count = recv(guest.descriptor, &buffer, buffer.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            guard count > 0 else {
                if count < 0, Self.isTransient(errno) { return true }
                _ = close(guest.descriptor)
                return false
            }
            if case .arriving(let bytesSeen) = guest.stage, bytesSeen == count {
                // Only an end of the input wakes before more has come.
                _ = close(guest.descriptor)
                return false
            }
            judge(&guest, count, now)
            return true
        }
    }

    private func judge(_ guest: inout Guest, _ count: Int, _ now: Duration) {
        switch buffer.withUnsafeBytes({ check.verdict(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) {
        case .incomplete:
            guest.stage = .arriving(bytesSeen: count)
            // Bytes that have been seen stay unread, and do not count as something to read until more come.
            Self.setLowWater(guest.descriptor, count + 1)
        case .passed:
            guest.stage = .ready
            Self.setLowWater(guest.descriptor, 1)
        case .refused(let status, let head): refuse(&guest, refusal(status, head), now)
        }
    }

    /// - Returns: false where the connection is closed.
    private func endInTime(_ guest: inout Guest, _ now: Duration) -> Bool {
        switch guest.stage {
        case .ready: return true
        case .arriving(let bytesSeen):
            guard now - guest.since > timeMax else { return true }
            if bytesSeen > 0 {
                refuse(&guest, refusal(.requestTimeout, nil), now)
                return true
            }
        case .leaving(let end): if now < end { return true }
        }
        _ = close(guest.descriptor)
        return false
    }

    private func refuse(_ guest: inout Guest, _ response: HTTPServerResponse, _ now: Duration) {
        let bytes = response.wholeText
        // The answer is small and the first one, so the socket has room for it.
        _ = bytes.withUnsafeBytes { send(guest.descriptor, $0.baseAddress, $0.count, noSignal) }
        _ = shutdown(guest.descriptor, Int32(SHUT_WR))
        Self.setLowWater(guest.descriptor, 1)
        guest.stage = .leaving(until: now + Self.leavingTime)
    }

    private static func setLowWater(_ descriptor: Int32, _ count: Int) {
        var count = Int32(clamping: count)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func isTransient(_ code: Int32) -> Bool { [EAGAIN, EWOULDBLOCK, EINTR].contains(code) }
}

extension Vestibule.Guest {
    var isReady: Bool { if case .ready = stage { true } else { false } }
}

extension HTTPServerResponse {
    /// As it goes over the wire where libmicrohttpd does not send it; the last on its connection.
    fileprivate var wholeText: [UInt8] {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in headers { text += "\(field.name.rawName): \(field.value)\r\n" }
        text += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(text.utf8) + body
    }
}
