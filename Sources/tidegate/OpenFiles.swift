import Foundation

/// The limit of open files and sockets of this process.
enum OpenFiles {
    /// A connection uses one descriptor, a database reader two, and a request to the remote one.
    private static let wanted: rlim_t = 4096

    /// Raises the soft limit, which is as low as 256 in some shells.
    static func raiseLimit() {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(resource, &limit)
    }
}
