/// A local file that must be uploaded to the remote.
package struct FileUpload: Sendable, Hashable {
    /// The file's name in local objects.
    package let name: String
    package let contentType: String
    /// The size in bytes.
    package let size: Int
    /// The path of the content; nil if the content is lost.
    package let path: String?
    /// The number of failed uploads. An upload that did not reach the remote does not count.
    package let attempts: Int

    package init(name: String, contentType: String, size: Int, path: String?, attempts: Int) {
        self.name = name
        self.contentType = contentType
        self.size = size
        self.path = path
        self.attempts = attempts
    }
}
