import Foundation
import Synchronization

/// Accepts connections on a thread of its own. Hands a connection to libmicrohttpd once the head of its first request is
/// complete, and its thread has room (`WorkerQueues`). At the connection limit, a new connection waits until another connection is closed.
///
/// libmicrohttpd could accept connections, too, and would stop by `MHD_quiesce_daemon`. In version 0.9.75, this call can abort the
/// process while the polling threads are busy.
final class Acceptor: Sendable {
    /// Passes a connected socket to libmicrohttpd. The address is valid during the call only.
    /// - Returns: false if libmicrohttpd has rejected and closed the socket.
    typealias Adopt = @Sendable (_ descriptor: Int32, _ address: UnsafeBufferPointer<sockaddr_storage>) -> Bool

    private let loop: AcceptLoop
    private let thread: DedicatedThread

    /// - Parameter wake: wakes libmicrohttpd's threads.
    init(
        listener: ListeningSocket, wakeUp: WakeUp, state: ServerState, configuration: HTTPServer.Configuration,
        adopt: @escaping Adopt, wake: @escaping @Sendable () -> Void
    ) {
        let pending = PendingConnections(
            limit: state.headLimit, handover: state.certificates == nil ? .withHead : .encrypted,
            timeMax: configuration.idleTimeout, refusal: state.refusal)
        let loop = AcceptLoop(
            listener: listener, wakeUp: wakeUp, connections: state.connections, uptime: state.uptime, adopt: adopt,
            wake: wake)
        self.loop = loop
        thread = DedicatedThread(named: "http-accept") { loop.run(pending) }
    }

    /// Closes the listening socket and the pending connections, and waits for the end of the thread.
    func stop() async {
        loop.stop()
        await thread.join()
    }
}

/// The loop of the accepting thread: polls the listening socket and the pending connections.
private final class AcceptLoop: Sendable {
    private let listener: ListeningSocket
    private let wakeUp: WakeUp
    private let connections: OpenConnections
    private let uptime: @Sendable () -> Duration
    private let adopt: Acceptor.Adopt
    private let wake: @Sendable () -> Void
    private let isStopping = Atomic(false)
    /// The timeout of `poll` in milliseconds. `poll` does not report exceeded time limits, disconnected clients of libmicrohttpd
    /// and freed descriptors, so the loop checks for these after each call. There is no timeout if none of these can occur.
    private static let roundMs: Int32 = 100

    init(
        listener: ListeningSocket, wakeUp: WakeUp, connections: OpenConnections,
        uptime: @escaping @Sendable () -> Duration, adopt: @escaping Acceptor.Adopt,
        wake: @escaping @Sendable () -> Void
    ) {
        self.wake = wake
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

    func run(_ initial: consuming PendingConnections) {
        var pending = initial
        defer {
            pending.closeAll()
            listener.close()
        }
        var isShortOfDescriptors = false
        while !isStopping.load(ordering: .acquiring) {
            if connections.closeOverdue(), !connections.hasWakeUp { wake() }
            admit(from: &pending)
            let listens = !pending.isFull && !isShortOfDescriptors
            var watched = [wakeUp.descriptor, listens ? listener.descriptor : -1].map(Self.pollEntry(for:))
            watched += pending.entries.filter { !$0.isReady }.map { Self.pollEntry(for: $0.descriptor) }
            let isQuiet = connections.isEmpty && pending.entries.isEmpty && !isShortOfDescriptors
            _ = poll(&watched, nfds_t(watched.count), isQuiet ? -1 : Self.roundMs)
            isShortOfDescriptors = false
            wakeUp.clear()
            pending.update(readable: Set(watched.dropFirst(2).lazy.filter { $0.revents != 0 }.map(\.fd)), now: uptime())
            guard listens, watched[1].revents != 0 else { continue }
            while !pending.isFull, !isStopping.load(ordering: .acquiring) {
                guard acceptOne(into: &pending) else {
                    isShortOfDescriptors = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
                    break
                }
            }
            if isShortOfDescriptors {
                pending.dropOldest()
                connections.makeRoom()
            }
        }
    }

    private static func pollEntry(for descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }

    /// Hands connections with a complete head to libmicrohttpd, up to the connection limit. If one of them must wait, an idle or
    /// slow connection of libmicrohttpd is closed to make room.
    private func admit(from pending: inout PendingConnections) {
        while connections.hasRoom, let entry = pending.takeReady(where: connections.hasRoom(forWorkerOf:)) {
            connections.opened(entry.descriptor)
            let isAdopted = withUnsafePointer(to: entry.address) {
                adopt(entry.descriptor, UnsafeBufferPointer(start: $0, count: 1))
            }
            if !isAdopted { connections.rejected(entry.descriptor) }
        }
        if !connections.hasRoom, pending.entries.contains(where: \.isReady) { connections.makeRoom() }
    }

    /// Accepts one connection.
    /// - Returns: true if another attempt can succeed: a connection was accepted, the call was interrupted, or the client has
    ///   aborted its connection. Otherwise false, with `errno` set.
    private func acceptOne(into pending: inout PendingConnections) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener.descriptor, $0, &length) }
        }
        guard descriptor >= 0 else { return errno == EINTR || errno == ECONNABORTED }
        prepare(descriptor: descriptor)
        pending.add(descriptor, address, now: uptime())
        return true
    }
}
