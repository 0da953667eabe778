import CCurl
import Foundation

/// A connection that libcurl makes, with its TLS and proxy settings, without sending a request.
///
/// Used by one thread.
final class WebSocketConnect {
    enum Received {
        case bytes([UInt8])
        /// The connection has ended or is broken.
        case end
        /// No bytes have arrived.
        case wait
    }

    private let request: HTTPClientRequest
    private let address: WebAddress
    private let configuration: CurlTransport.Configuration
    private var handle: UnsafeMutableRawPointer?
    private var socket = CURL_SOCKET_BAD
    private var rejectedAddress: SocketAddress?
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    init(_ request: HTTPClientRequest, _ address: WebAddress, _ configuration: CurlTransport.Configuration) {
        self.request = request
        self.address = address
        self.configuration = configuration
    }

    /// Makes the connection.
    /// - Parameter givenUp: returns the reason to give up; nil to go on.
    /// - Returns: nil if there is a connection.
    func connect(
        _ multi: UnsafeMutableRawPointer, _ givenUp: () -> WebSocketClientError?
    ) -> WebSocketClientError? {
        guard let handle = curl_easy_init() else { return .notConnected(reason: "libcurl is out of memory") }
        self.handle = handle
        if let code = configure(handle) { return .notConnected(reason: String(cString: curl_easy_strerror(code))) }
        curl_multi_add_handle(multi, handle)
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi, &left) {
                guard message.pointee.msg == CURLMSG_DONE else { continue }
                socket = tidegate_curl_socket(handle)
                let code = message.pointee.data.result
                if code == CURLE_OK, socket != CURL_SOCKET_BAD { return nil }
                if let rejectedAddress { return .forbidden(address: rejectedAddress.host) }
                return .notConnected(reason: String(cString: curl_easy_strerror(code)))
            }
            if let failure = givenUp() { return failure }
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
    }

    private func configure(_ handle: UnsafeMutableRawPointer) -> CURLcode? {
        if let failed = request.configure(handle, configuration, nil) { return failed }
        var codes = [
            tidegate_curl_set_long(handle, CURLOPT_CONNECT_ONLY, 1),
            tidegate_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1),
            // A proxy must pass the bytes on unread.
            tidegate_curl_set_long(handle, CURLOPT_HTTPPROXYTUNNEL, 1),
            // Otherwise a server with TLS could choose HTTP/2, in which the handshake is another one.
            tidegate_curl_set_long(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
        ]
        if request.mayConnect != nil {
            codes += [
                tidegate_curl_set_pointer(
                    handle, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque()),
                tidegate_curl_set_opensocket_callback(handle) { context, _, address in
                    guard let context, let address,
                        Unmanaged<WebSocketConnect>.fromOpaque(context).takeUnretainedValue().mayConnect(to: address)
                    else { return -1 }
                    return tidegate_curl_open_socket(address)
                },
            ]
        }
        return codes.first { $0 != CURLE_OK }
    }

    private func mayConnect(to address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
        let known = withUnsafePointer(to: &address.pointee.addr) {
            SocketAddress(UnsafeRawPointer($0), byteCount: Int(address.pointee.addrlen))
        }
        guard let known else { return false }
        if request.mayConnect?(known) != false { return true }
        rejectedAddress = known
        return false
    }

    /// The request of the handshake.
    func head(_ key: String) -> [UInt8] {
        var text = "GET \(address.target) HTTP/1.1\r\nHost: \(address.authority)\r\nConnection: Upgrade\r\n"
        text += "Upgrade: websocket\r\nSec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
        text += "User-Agent: \(configuration.userAgent)\r\n"
        for field in request.headers { text += "\(field.name): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// Sends bytes.
    /// - Returns: the number of sent bytes; nil if the kernel takes none now; 0 if the connection is broken.
    func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        var count = 0
        let code = bytes.withUnsafeBytes { curl_easy_send(handle, $0.baseAddress, $0.count, &count) }
        if code == CURLE_AGAIN { return nil }
        return code == CURLE_OK ? count : 0
    }

    func receive() -> Received {
        var count = 0
        let code = curl_easy_recv(handle, &buffer, buffer.count, &count)
        if code == CURLE_AGAIN { return .wait }
        return code == CURLE_OK && count > 0 ? .bytes(Array(buffer[..<count])) : .end
    }

    /// Waits until bytes can be read or written, or until a wake-up.
    func wait(_ multi: UnsafeMutableRawPointer, reads: Bool, writes: Bool, isQuick: Bool) {
        let events = (reads ? CURL_WAIT_POLLIN : 0) | (writes ? CURL_WAIT_POLLOUT : 0)
        var watched = curl_waitfd(fd: socket, events: Int16(events), revents: 0)
        curl_multi_poll(multi, &watched, 1, isQuick ? 0 : 60_000, nil)
    }

    func close(_ multi: UnsafeMutableRawPointer) {
        guard let handle else { return }
        curl_multi_remove_handle(multi, handle)
        curl_easy_cleanup(handle)
        self.handle = nil
    }
}
