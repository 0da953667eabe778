import Foundation

/// A bound TCP socket that listens for connections. Its owner calls ``close()`` once.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    init(host: String, port: UInt16) throws(HTTPServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = streamSocketType
        var found: UnsafeMutablePointer<addrinfo>?
        // `localhost` is not resolved, because a resolver could return an address outside the loopback interface.
        let code = getaddrinfo(host == "localhost" ? "127.0.0.1" : host, String(port), &hints, &found)
        guard code == 0, let found else {
            throw .cannotListen(reason: "\(host) is not a numeric address: \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(found) }
        descriptor = try Self.open(found.pointee, host: host, port: port)
        self.port = Self.boundPort(descriptor) ?? port
    }

    func close() {
        _ = Foundation.close(descriptor)
    }

    private static func open(_ address: addrinfo, host: String, port: UInt16) throws(HTTPServerError) -> Int32 {
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { throw failure("socket", errno, host, port) }
        prepare(descriptor: descriptor)
        // This option frees the address while connections of an earlier run are still in TIME_WAIT.
        var on: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var operation = "bind"
        var code = bind(descriptor, address.ai_addr, address.ai_addrlen)
        if code == 0 {
            operation = "listen"
            code = listen(descriptor, SOMAXCONN)
        }
        guard code == 0 else {
            let error = failure(operation, errno, host, port)
            _ = Foundation.close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func failure(_ operation: String, _ code: Int32, _ host: String, _ port: UInt16) -> HTTPServerError {
        if code == EADDRINUSE { return .addressInUse(host: host, port: port) }
        return .cannotListen(reason: "\(operation) \(host) port \(port): \(systemErrorText(code))")
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let code = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0
                    ? getnameinfo(address, length, nil, 0, &text, socklen_t(text.count), NI_NUMERICSERV) : -1
            }
        }
        guard code == 0 else { return nil }
        return UInt16(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}
