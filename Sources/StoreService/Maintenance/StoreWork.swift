/// How long the work on a store takes, in multiples of the time to read its file once. The numbers are from measurements, and only
/// progress depends on them.
package enum StoreWork {
    /// The check of the structure of a file.
    package static let structure = 2
    /// The check of the objects.
    package static let objects = 4
    /// The check of the structure and of all indexes.
    package static let indexes = 8
    /// The check of the rules between tables.
    package static let rules = 1

    /// A copy of a file, which is checked.
    package static var copy: Int { 2 + indexes }
    /// The check of a file, without the contents of files.
    package static var check: Int { structure + objects + indexes + rules }
    /// A compaction: the objects are read, written into the log, and from there into the file.
    package static let compaction = 3
}
