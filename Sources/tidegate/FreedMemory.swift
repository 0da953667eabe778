import CMalloc

/// Memory that was freed and may be needed again.
enum FreedMemory {
    /// glibc returns freed memory to the kernel, and asks for it again with each answer of some size: an eighth of a list of
    /// 100 objects. Each of its few arenas keeps so much instead. Other C libraries are left alone.
    private static let keptBytesMax: Int32 = 1 << 20

    static func keepSome() { tidegate_keep_freed_memory(keptBytesMax) }
}
