/// The settings for the files of objects.
package enum FileSettings: SettingGroup {
    package static let title = "Files"
    package static let settings: [Setting] = [.fileBytesMax, .fileCacheBytes, .fileHosts]
}

extension Setting {
    package static let fileBytesMax = Setting(
        "file-bytes-max", .integer("bytes", 1024...10_737_418_240), \.fileBytesMax,
        "The maximum size of an uploaded file.")
    package static let fileCacheBytes = Setting(
        "file-cache-bytes", .integer("bytes", 0...1_099_511_627_776), \.fileCacheBytes,
        "The size of the cache for files of the remote. Least recently used files are evicted.")
    package static let fileHosts = Setting(
        "file-hosts", .hostNames("host"), \.fileHosts,
        "A host with a private address from which files may be downloaded, with or without a port.")
}
