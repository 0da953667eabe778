/// Objects of a class that seem to be deleted on the remote.
struct MissingObjects {
    var ids: Set<String> = []
    /// Whether the remote shows at least one object that it is known to have.
    var areBelievable = true
}
