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

/// The last system call's error, as `Permission denied (13)`.
func systemErrorText(_ code: Int32) -> String {
    "\(String(cString: strerror(code))) (\(code))"
}

/// Makes a descriptor non-blocking and keeps it from programs that this process might start.
func prepare(descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
