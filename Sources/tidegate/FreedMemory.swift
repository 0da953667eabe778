import CMalloc

/// Memory that the program has freed, and that the C library keeps for reuse.
enum FreedMemory {
    /// The size of freed memory that each glibc arena keeps, in bytes. By default, glibc returns freed memory to the kernel and
    /// requests it again for each larger response. That takes an eighth of the time of a list of 100 objects. The settings of
    /// other C libraries stay unchanged.
    private static let keptBytesMax: Int32 = 1 << 20

    /// Makes glibc keep freed memory for reuse.
    static func retain() { tidegate_keep_freed_memory(keptBytesMax) }
}
