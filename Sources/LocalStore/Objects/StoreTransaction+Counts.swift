/// How many objects each class has. Whoever writes rows counts them in the same transaction.
extension StoreTransaction {
    /// - Parameters:
    ///   - bases: by how many the objects have become more that the remote has.
    ///   - views: by how many those have that are shown.
    func count(_ className: String, bases: Int, views: Int) throws {
        guard bases != 0 || views != 0 else { return }
        try execute(
            """
            INSERT INTO class_counts (class, bases, views) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET bases = bases + excluded.bases, views = views + excluded.views
            """, [className, bases, views])
    }
}
