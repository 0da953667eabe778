import CMalloc
import ParseModel
import ServiceLifecycle

/// Keeps freed memory for reuse by requests, and returns it to the kernel every minute.
enum FreedMemory {
    /// How much freed memory each glibc arena keeps for reuse, in bytes. By default, glibc returns freed memory to the kernel and
    /// requests it again for the next large response. This takes an eighth of the response time of a list of 100 objects.
    private static let keptBytesMax: Int32 = 1 << 20

    /// Makes glibc keep freed memory for reuse.
    static func retain() { tidegate_keep_freed_memory(keptBytesMax) }

    /// Returns the kept memory to the kernel every minute. A sync of many objects and the check of the file at the start free more memory
    /// than requests need: 16 of 76 MB in a replica with three users of 10,000 objects each.
    struct Returning: Service {
        func run() async throws {
            await cancelWhenGracefulShutdown {
                while (try? await Environment.live.sleep(.seconds(60))) != nil { tidegate_return_freed_memory() }
            }
        }
    }
}
