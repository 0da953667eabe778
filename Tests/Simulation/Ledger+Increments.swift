extension Ledger {
    /// Compares the final counters with the users' increments, for tables, which cannot store the array `log`. A
    /// counter is at least the number of increments that the server must have executed, and at most the number of all
    /// increments. The two numbers differ only if a process ended during a write, or a user discarded an increment.
    /// - Parameters:
    ///   - counts: the counters of the objects with each title on the server at the end.
    ///   - disputed: the titles of objects with a conflict about the counter.
    /// - Returns: a line for each counter that lacks an increment, or contains one twice. Objects that were created again are
    ///   not checked.
    func incrementViolations(
        of counts: [String: [Int]], _ history: ServerHistory, _ disputed: Set<String>
    ) -> [String] {
        var all: [String: Int] = [:]
        var promised: [String: Int] = [:]
        for (index, entry) in entries.enumerated() where entry.operation == .increment {
            all[entry.title, default: 0] += 1
            if entry.isAcknowledged, !entry.isOverruled, !isSuperseded(index) {
                promised[entry.title, default: 0] += 1
            }
        }
        return counts.sorted { $0.key < $1.key }.compactMap { title, counts in
            guard counts.count == 1, history.makers[title]?.count == 1, revivals[title] == nil,
                !excused.contains(title), !disputed.contains(title)
            else { return nil }
            let (least, most) = (promised[title] ?? 0, all[title] ?? 0)
            if counts[0] < least { return "\(title) has the count \(counts[0]) after \(least) acknowledged increments" }
            return counts[0] > most ? "\(title) has the count \(counts[0]) after only \(most) increments" : nil
        }
    }
}
