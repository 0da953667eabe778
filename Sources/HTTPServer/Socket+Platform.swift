#if canImport(Darwin)
    import Darwin

    let streamSocketType = SOCK_STREAM
#elseif canImport(Musl)
    import Musl

    let streamSocketType = SOCK_STREAM
#else
    import Glibc

    /// The socket type of TCP as a number. Glibc declares `SOCK_STREAM` as an enumeration.
    let streamSocketType = Int32(SOCK_STREAM.rawValue)
#endif

/// The flag of `send` that prevents SIGPIPE on a closed connection; 0 on Darwin, where the socket option SO_NOSIGPIPE prevents
/// the signal.
#if canImport(Darwin)
    let noSignal: Int32 = 0
#else
    let noSignal = Int32(MSG_NOSIGNAL)
#endif

/// The text and the number of a system error, such as `Permission denied (13)`.
func systemErrorText(_ code: Int32) -> String {
    "\(String(cString: strerror(code))) (\(code))"
}

/// Makes a descriptor non-blocking and close-on-exec. On Darwin, also prevents SIGPIPE.
func prepare(descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
        var on: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
}
