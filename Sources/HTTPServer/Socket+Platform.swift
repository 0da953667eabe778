#if canImport(Darwin)
    import Darwin

    let streamSocketType = SOCK_STREAM
#elseif canImport(Musl)
    import Musl

    let streamSocketType = SOCK_STREAM
#else
    import Glibc

    /// An enumeration there, a number elsewhere.
    let streamSocketType = Int32(SOCK_STREAM.rawValue)
#endif

/// For a send that a closed connection must not end the process by.
#if canImport(Darwin)
    let noSignal: Int32 = 0
#else
    let noSignal = Int32(MSG_NOSIGNAL)
#endif

/// The last system call's error, as `Permission denied (13)`.
func systemErrorText(_ code: Int32) -> String {
    "\(String(cString: strerror(code))) (\(code))"
}

/// Makes a descriptor non-blocking and keeps it from programs that this process might start.
func prepare(descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
        var on: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
}
