import CMalloc

/// Memory that the program has freed, and that the C library keeps for reuse.
enum FreedMemory {
    /// How much freed memory each glibc arena keeps for reuse, in bytes. By default, glibc returns freed memory to the kernel and
    /// requests it again for the next large response. This takes an eighth of the response time of a list of 100 objects.
    private static let keptBytesMax: Int32 = 1 << 20

    /// Makes glibc keep freed memory for reuse.
    static func retain() { tidegate_keep_freed_memory(keptBytesMax) }
}
