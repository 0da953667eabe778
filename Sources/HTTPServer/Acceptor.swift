import Foundation
import Synchronization

/// Accepts connections on a thread of its own, hands on those that have sent the head of a request while there is room for
/// them, and makes room where others only hold theirs.
///
/// libmicrohttpd could accept by itself, but 0.9.75 may abort when it is told to stop that (`MHD_quiesce_daemon`) while
/// its polling threads are busy.
final class Acceptor: Sendable {
    /// Takes over a connected socket; the address is valid during the call only.
    typealias Adopt = @Sendable (_ descriptor: Int32, _ address: UnsafeBufferPointer<sockaddr_storage>) -> Bool

    private let loop: AcceptLoop
    private let thread: OwnThread

    init(
        listener: ListeningSocket, wakeUp: WakeUp, state: ServerState, configuration: HTTPServer.Configuration,
        adopt: @escaping Adopt
    ) {
        let vestibule = Vestibule(
            limit: state.headLimit, timeMax: configuration.idleTimeout, refusal: state.refusal)
        let loop = AcceptLoop(
            listener: listener, wakeUp: wakeUp, connections: state.connections, uptime: state.uptime, adopt: adopt)
        self.loop = loop
        thread = OwnThread(named: "http-accept") { loop.run(vestibule) }
    }

    /// Returns when the listening socket is closed and nothing more will be adopted.
    func stop() async {
        loop.stop()
        await thread.join()
    }
}

private final class AcceptLoop: Sendable {
    private let listener: ListeningSocket
    private let wakeUp: WakeUp
    private let connections: OpenConnections
    private let uptime: @Sendable () -> Duration
    private let adopt: Acceptor.Adopt
    private let isStopping = Atomic(false)
    /// Nothing tells when a descriptor becomes free, or when a client falls silent, so both are looked for.
    private static let roundMs: Int32 = 100

    init(
        listener: ListeningSocket, wakeUp: WakeUp, connections: OpenConnections,
        uptime: @escaping @Sendable () -> Duration, adopt: @escaping Acceptor.Adopt
    ) {
        self.listener = listener
        self.wakeUp = wakeUp
        self.connections = connections
        self.uptime = uptime
        self.adopt = adopt
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    func run(_ vestibule: consuming Vestibule) {
        var vestibule = vestibule
        defer {
            vestibule.leave()
            listener.close()
        }
        var isShortOfDescriptors = false
        while !isStopping.load(ordering: .acquiring) {
            connections.look()
            admit(from: &vestibule)
            let listens = !vestibule.isFull && !isShortOfDescriptors
            var watched = [wakeUp.descriptor, listens ? listener.descriptor : -1].map(Self.awaiting)
            watched += vestibule.guests.filter { !$0.isReady }.map { Self.awaiting($0.descriptor) }
            let isQuiet = connections.isEmpty && vestibule.guests.isEmpty && !isShortOfDescriptors
            _ = poll(&watched, nfds_t(watched.count), isQuiet ? -1 : Self.roundMs)
            isShortOfDescriptors = false
            wakeUp.clear()
            vestibule.look(Set(watched.dropFirst(2).lazy.filter { $0.revents != 0 }.map(\.fd)), now: uptime())
            guard listens, watched[1].revents != 0 else { continue }
            while !vestibule.isFull, !isStopping.load(ordering: .acquiring) {
                guard acceptOne(into: &vestibule) else {
                    isShortOfDescriptors = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
                    break
                }
            }
            if isShortOfDescriptors {
                vestibule.dropOldest()
                connections.makeRoom()
            }
        }
    }

    private static func awaiting(_ descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }

    /// Hands on those whose head has come.
    private func admit(from vestibule: inout Vestibule) {
        while connections.hasRoom, let guest = vestibule.takeReady() {
            connections.opened()
            let isAdopted = withUnsafePointer(to: guest.address) {
                adopt(guest.descriptor, UnsafeBufferPointer(start: $0, count: 1))
            }
            if !isAdopted { connections.closed(nil) }
        }
        if vestibule.guests.contains(where: \.isReady) { connections.makeRoom() }
    }

    /// - Returns: false with `errno` set where no connection was waiting.
    private func acceptOne(into vestibule: inout Vestibule) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener.descriptor, $0, &length) }
        }
        guard descriptor >= 0 else { return errno == EINTR || errno == ECONNABORTED }
        prepare(descriptor: descriptor)
        vestibule.enter(descriptor, address, now: uptime())
        return true
    }
}
