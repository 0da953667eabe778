import Foundation

/// Raises the process's limit of open files and sockets.
enum OpenFiles {
    /// The wanted number of descriptors. Each connection uses one descriptor, each database reader uses two, each request to the remote
    /// uses one, and each open space of a user uses 13. `--users-max` allows 1,000 spaces.
    private static let wanted: rlim_t = 16_384

    /// Raises the soft limit of open files to `wanted`, or to the hard limit if that is lower. Some shells set a soft limit of
    /// 256.
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
