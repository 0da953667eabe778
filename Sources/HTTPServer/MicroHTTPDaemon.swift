import CMicroHTTPD
import Foundation

/// A running libmicrohttpd daemon and its pool of polling threads.
final class MicroHTTPDaemon: @unchecked Sendable {
    // The handle is constant. libmicrohttpd allows `MHD_add_connection` and `MHD_stop_daemon` on it from any thread.
    private let handle: OpaquePointer
    private let context: Unmanaged<ServerState>

    init(configuration: HTTPServer.Configuration, state: ServerState) throws(HTTPServerError) {
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
                connections.closed(place.pointee.map { Unmanaged<Connection>.fromOpaque($0).takeRetainedValue() })
                place.pointee = nil
            } else {
                let began = connections.began(descriptor: tidegate_mhd_descriptor(connection))
                place.pointee = Unmanaged.passRetained(began).toOpaque()
            }
        }
        guard let handle = tidegate_mhd_start(&settings) else {
            context.release()
            throw .cannotListen(reason: "start polling threads: \(systemErrorText(errno))")
        }
        self.handle = handle
    }

    /// Adds a connected socket to the daemon.
    /// - Returns: false if the daemon has rejected and closed the socket.
    func adopt(_ descriptor: Int32, from address: UnsafeBufferPointer<sockaddr_storage>) -> Bool {
        address.withMemoryRebound(to: sockaddr.self) { address in
            MHD_add_connection(
                handle, descriptor, address.baseAddress, socklen_t(MemoryLayout<sockaddr_storage>.size)) == .YES
        }
    }

    /// Closes all connections and waits for the threads to end. Called once, after the acceptor has stopped and all
    /// suspended connections have resumed.
    func stop() {
        MHD_stop_daemon(handle)
        context.release()
    }
}
