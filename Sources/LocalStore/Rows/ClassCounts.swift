import GRDB

/// The table `class_counts`: the number of objects of each class. A transaction that writes an object also updates the
/// counts.
struct ClassCounts {
    let db: Database

    /// Changes the counts of a class.
    /// - Parameters:
    ///   - bases: the change in the number of objects that the remote has.
    ///   - views: the change in the number of visible objects.
    func add(_ className: String, bases: Int, views: Int) throws {
        guard bases != 0 || views != 0 else { return }
        try db.run(
            """
            INSERT INTO class_counts (class, bases, views) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET bases = bases + excluded.bases, views = views + excluded.views
            """, [className, bases, views])
    }
}
