import ParseModel
import StoreService

/// The column `objects.content_mark`: the version number of an object's content, for its entity tag.
///
/// The number is the time of the last content change in milliseconds, followed by the low bits of the change's number
/// in the change feed. The number of the change makes the version numbers of a file unique. The time makes them differ
/// from those in other gateways, and from those of changes that were lost when a backup of the file was restored.
extension ContentMark {
    private static let numberBits: Int64 = 16

    /// Rows of earlier versions keep NULL, so that the migration need not write them. For these rows, `column` uses
    /// `updated_at`.
    static let migration = "ALTER TABLE objects ADD COLUMN content_mark INTEGER;"

    /// The SQL expression for the number of an object's content.
    static let column = "coalesce(content_mark, updated_at << \(numberBits))"

    /// The content number for a change.
    /// - Parameters:
    ///   - entry: the number of the change in the feed.
    ///   - time: the time of the transaction.
    static func number(ofEntry entry: Int64, at time: ParseDate) -> Int64 {
        time.milliseconds << numberBits | entry & (1 << numberBits - 1)
    }
}
