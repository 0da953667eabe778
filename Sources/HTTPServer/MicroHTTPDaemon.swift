import CMicroHTTPD
import Foundation

/// A running libmicrohttpd daemon and its pool of polling threads.
final class MicroHTTPDaemon: @unchecked Sendable {
    // The handle is constant. libmicrohttpd allows `MHD_add_connection` and `MHD_stop_daemon` on it from any thread.
    private let handle: OpaquePointer
    private let context: Unmanaged<ServerState>
    private let threads: Int

    init(configuration: HTTPServer.Configuration, state: ServerState) throws(HTTPServerError) {
        threads = configuration.threads
        // The context is retained until the daemon has stopped, because callbacks use it.
        context = Unmanaged.passRetained(state)
        var settings = tidegate_mhd_settings()
        settings.threads = UInt32(clamping: configuration.threads)
        // `OpenConnections` enforces `connectionsMax`. libmicrohttpd's own limit, which it divides among its threads, is higher:
        // each thread has room for `connectionsMax` connections, and for 1024 more that are being closed.
        let perPool = configuration.connectionsMax.addingReportingOverflow(1024).partialValue
        settings.connections_max_per_pool = UInt32(
            clamping: perPool.multipliedReportingOverflow(by: configuration.threads).partialValue)
        settings.idle_timeout_seconds = UInt32(clamping: configuration.idleTimeout.components.seconds)
        settings.memory_bytes_per_connection = configuration.headerBytesMax
        settings.context = context.toOpaque()
        settings.request_line = { context, target, _ in
            let state = Unmanaged<ServerState>.fromOpaque(context!).takeUnretainedValue()
            return Unmanaged.passRetained(RequestContext(state: state, target: target)).toOpaque()
        }
        settings.access = { _, connection, _, method, version, upload, uploadBytes, request in
            guard let connection, let method, let version, let uploadBytes, let request = request?.pointee else {
                return .NO
            }
            return Unmanaged<RequestContext>.fromOpaque(request).takeUnretainedValue()
                .received(
                    on: connection, method: method, version: version, upload: upload, uploadBytes: uploadBytes)
        }
        settings.completed = { _, _, request, _ in
            guard let opaque = request?.pointee else { return }
            request?.pointee = nil
            Unmanaged<RequestContext>.fromOpaque(opaque).takeRetainedValue().completed()
        }
        settings.connection_changed = { context, connection, place, change in
            guard let context, let connection, let place else { return }
            let connections = Unmanaged<ServerState>.fromOpaque(context).takeUnretainedValue().connections
            if tidegate_mhd_is_closed(change) {
                if let began = place.pointee {
                    connections.closed(Unmanaged<Connection>.fromOpaque(began).takeRetainedValue())
                } else {
                    connections.rejected(tidegate_mhd_descriptor(connection))
                }
                place.pointee = nil
            } else {
                if let session = tidegate_mhd_tls_session(connection) {
                    Unmanaged<ServerState>.fromOpaque(context).takeUnretainedValue()
                        .certificates?.use(in: OpaquePointer(session))
                }
                let began = connections.began(descriptor: tidegate_mhd_descriptor(connection))
                place.pointee = Unmanaged.passRetained(began).toOpaque()
            }
        }
        guard let handle = Self.start(&settings, configuration.certificate) else {
            context.release()
            throw .cannotListen(reason: "start polling threads: \(systemErrorText(errno))")
        }
        self.handle = handle
    }

    private static func start(
        _ settings: inout tidegate_mhd_settings, _ certificate: ServerCertificate?
    ) -> OpaquePointer? {
        guard let certificate else { return tidegate_mhd_start(&settings) }
        // libmicrohttpd reads both texts during the call.
        return String(decoding: certificate.chain, as: UTF8.self).withCString { chain in
            String(decoding: certificate.privateKey, as: UTF8.self).withCString { key in
                settings.certificate = chain
                settings.private_key = key
                return tidegate_mhd_start(&settings)
            }
        }
    }

    /// Adds a connected socket to the daemon.
    /// - Returns: false if the daemon has rejected and closed the socket.
    func adopt(_ descriptor: Int32, from address: UnsafeBufferPointer<sockaddr_storage>) -> Bool {
        address.withMemoryRebound(to: sockaddr.self) { address in
            MHD_add_connection(
                handle, descriptor, address.baseAddress, socklen_t(MemoryLayout<sockaddr_storage>.size)) == .YES
        }
    }

    /// Wakes each thread, by a connection whose client has left. In version 0.9.75, a thread that has received exactly as many events
    /// as it asked for waits for further ones, for up to the idle timeout, before it handles them.
    func wake() {
        let connections = context.takeUnretainedValue().connections
        for worker in 0..<threads {
            guard let descriptor = SocketOfWorker.make(worker, of: threads) else { return }
            connections.opensWakeUp(descriptor)
            var address = sockaddr_storage()
            address.ss_family = sa_family_t(AF_UNIX)
            let isAdopted = withUnsafePointer(to: address) {
                adopt(descriptor, from: UnsafeBufferPointer(start: $0, count: 1))
            }
            if !isAdopted { connections.rejected(descriptor) }
        }
    }

    /// Closes all connections and waits for the threads to end. Called once, after the acceptor has stopped and all
    /// suspended connections have resumed.
    func stop() {
        MHD_stop_daemon(handle)
        context.release()
    }
}

/// Makes sockets for a chosen thread of libmicrohttpd, which chooses the thread by the number of the socket.
private enum SocketOfWorker {
    /// - Returns: a socket whose other end is closed; nil if there are too few descriptors.
    static func make(_ worker: Int, of threads: Int) -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamSocketType, 0, &ends) == 0 else { return nil }
        _ = close(ends[1])
        defer { _ = close(ends[0]) }
        var lowest = Int32(worker)
        while true {
            let descriptor = fcntl(ends[0], F_DUPFD_CLOEXEC, lowest)
            guard descriptor >= 0 else { return nil }
            if Int(descriptor) % threads == worker {
                prepare(descriptor: descriptor)
                return descriptor
            }
            _ = close(descriptor)
            lowest = descriptor + Int32((worker - Int(descriptor) % threads + threads) % threads)
        }
    }
}
