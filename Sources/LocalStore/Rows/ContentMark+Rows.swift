import ParseModel
import StoreService

/// The column `objects.content_mark`: the number of the object's content.
///
/// It has the time of the last change of the content in milliseconds, and the last bits of this change's number in the feed. The
/// number makes the marks of a file differ. The time keeps them apart from those of changes that a backup of the file has lost, and from
/// those of other gateways.
extension ContentMark {
    private static let numberBits: Int64 = 16

    /// The rows of earlier versions get no mark of their own, so that the migration writes no row: the time of their last update counts.
    static let migration = "ALTER TABLE objects ADD COLUMN content_mark INTEGER;"

    /// The number of an object's content, for `SELECT`.
    static let column = "coalesce(content_mark, updated_at << \(numberBits))"

    /// - Parameters:
    ///   - entry: the number of the change in the feed.
    ///   - time: the time of the transaction.
    static func number(ofEntry entry: Int64, at time: ParseDate) -> Int64 {
        time.milliseconds << numberBits | entry & (1 << numberBits - 1)
    }
}
