import Foundation

/// How many files and sockets this process may have open.
enum OpenFiles {
    /// Each connection takes one, each reader of the database two, each request to the remote one.
    private static let wanted: rlim_t = 4096

    /// Shells start programs with as few as 256, and allow them to ask for more.
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
