import Foundation
import Synchronization

/// Accepts connections on a thread of its own while there is room for them, and makes room where clients only hold theirs.
///
/// libmicrohttpd could do this itself, but 0.9.75 may abort when it is told to stop accepting
/// (`MHD_quiesce_daemon`) while its polling threads are busy.
final class Acceptor: Sendable {
    /// Takes over a connected socket; the address is valid during the call only.
    typealias Adopt = @Sendable (_ descriptor: Int32, _ address: UnsafeBufferPointer<sockaddr_storage>) -> Bool

    private let loop: AcceptLoop
    private let thread: OwnThread

    init(listener: ListeningSocket, wakeUp: WakeUp, connections: OpenConnections, adopt: @escaping Adopt) {
        let loop = AcceptLoop(listener: listener, wakeUp: wakeUp, connections: connections, adopt: adopt)
        self.loop = loop
        thread = OwnThread(named: "http-accept") { loop.run() }
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
    private let adopt: Acceptor.Adopt
    private let isStopping = Atomic(false)
    private static let roundMs: Int32 = 100

    init(
        listener: ListeningSocket, wakeUp: WakeUp, connections: OpenConnections, adopt: @escaping Acceptor.Adopt
    ) {
        self.listener = listener
        self.wakeUp = wakeUp
        self.connections = connections
        self.adopt = adopt
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    func run() {
        defer { listener.close() }
        var isShortOfDescriptors = false
        var awaitsRoom = false
        while !isStopping.load(ordering: .acquiring) {
            var watched = [
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let listens = (connections.hasRoom || !awaitsRoom) && !isShortOfDescriptors
            // Nothing tells when a descriptor becomes free, or when a client falls silent, so both are looked for.
            _ = poll(&watched, listens ? 2 : 1, connections.isEmpty && !isShortOfDescriptors ? -1 : Self.roundMs)
            isShortOfDescriptors = false
            awaitsRoom = false
            wakeUp.clear()
            connections.look()
            guard listens, watched[1].revents != 0 else { continue }
            if !connections.hasRoom {
                connections.makeRoom()
                awaitsRoom = true
            }
            while connections.hasRoom, !isStopping.load(ordering: .acquiring) {
                guard acceptOne() else {
                    isShortOfDescriptors = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
                    break
                }
            }
        }
    }

    /// - Returns: false with `errno` set where no connection was waiting.
    private func acceptOne() -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener.descriptor, $0, &length) }
        }
        guard descriptor >= 0 else { return errno == EINTR || errno == ECONNABORTED }
        prepare(descriptor: descriptor)
        connections.opened()
        let isAdopted = withUnsafePointer(to: address) { adopt(descriptor, UnsafeBufferPointer(start: $0, count: 1)) }
        if !isAdopted { connections.closed(nil) }
        return true
    }
}
