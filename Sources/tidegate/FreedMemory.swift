import CMalloc

/// The allocator's cache of freed memory.
enum FreedMemory {
    /// The freed memory that each glibc arena keeps, in bytes. By default glibc returns it to the kernel and requests
    /// it again for each larger response, which takes an eighth of the time of a list of 100 objects. Other C libraries
    /// keep their settings.
    private static let keptBytesMax: Int32 = 1 << 20

    /// Makes the allocator keep freed memory for reuse.
    static func retain() { tidegate_keep_freed_memory(keptBytesMax) }
}
