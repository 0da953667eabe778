/// The objects of a class that seem to be gone remotely.
struct MissingObjects {
    var ids: Set<String> = []
    /// Whether the remote shows at least one object that it is known to have.
    var areBelievable = true
}
