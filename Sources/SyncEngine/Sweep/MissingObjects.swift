/// Objects of a class that seem to be deleted on the remote.
struct MissingObjects {
    var ids: Set<String> = []
    /// Whether the absence of the objects is credible; see `ObjectLookup.fetchTwice`.
    var areBelievable = true
}
