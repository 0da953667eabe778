import ParseModel

/// The state of the backups that a running gateway writes at an interval.
package struct BackupStatus: Sendable {
    package struct Backup: Sendable {
        /// The name of the file.
        let name: String
        package let at: ParseDate
        /// The size in bytes.
        package let byteCount: Int

        package init(name: String, at: ParseDate, byteCount: Int) {
            (self.name, self.at, self.byteCount) = (name, at, byteCount)
        }
    }

    /// The directory of the backups.
    private let directory: String
    private let interval: Duration
    private let keptMax: Int
    /// The latest backup; nil before the first.
    package let last: Backup?
    /// The number of failed attempts since the start.
    package let failures: Int
    /// The reason of the failure of the latest attempt; nil if it succeeded.
    private let lastError: String?

    package init(
        directory: String, interval: Duration, keptMax: Int, last: Backup?, failures: Int, lastError: String?
    ) {
        self.directory = directory
        self.interval = interval
        self.keptMax = keptMax
        self.last = last
        self.failures = failures
        self.lastError = lastError
    }

    /// `{"directory":"…","everySeconds":86400,"keep":7,"last":{"name":"…","at":"…","bytes":4096},"failures":0,"failed":false,"lastError":null}`
    package var json: JSONObject {
        [
            "directory": .string(directory), "everySeconds": .int(Int(interval.components.seconds)),
            "keep": .int(keptMax),
            "last": last.map {
                ["name": .string($0.name), "at": .string($0.at.iso), "bytes": .int($0.byteCount)]
            } ?? .null,
            "failures": .int(failures), "failed": .bool(lastError != nil),
            "lastError": lastError.map(JSONValue.string) ?? .null,
        ]
    }

    /// The part that every client may see: `{"failed":false}`. `failed` tells whether the latest attempt has failed.
    var publicJSON: JSONObject { ["failed": .bool(lastError != nil)] }
}
