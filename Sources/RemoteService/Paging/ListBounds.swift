/// Bounds for the number of ids that one read may list, and for their memory. The ids arrive page by page, and a faulty
/// server may never end the list. Has no side effects.
package struct ListBounds: Sendable {
    package let idsMax: Int
    package let bytesMax: Int
    private var ids = 0
    private var bytes = 0

    package init(idsMax: Int = 10_000_000, bytesMax: Int = 256 << 20) {
        self.idsMax = idsMax
        self.bytesMax = bytesMax
    }

    /// Adds a page to the totals.
    /// - Parameter page: the ids of the page.
    /// - Throws: `RemoteError.tooMuch` if a total exceeds its bound.
    package mutating func take(_ page: [String]) throws(RemoteError) {
        ids += page.count
        bytes += page.reduce(0) { $0 + $1.utf8.count }
        guard ids <= idsMax, bytes <= bytesMax else {
            throw .tooMuch(reason: "a list has more than \(idsMax) ids, or \(bytesMax) bytes of them")
        }
    }
}
