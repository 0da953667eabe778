/// A file of which the content lies on this machine, on its way to the remote.
package struct FileUpload: Sendable, Hashable {
    /// As objects carry it here.
    package let name: String
    package let contentType: String
    /// In bytes.
    package let size: Int
    /// Where the content lies; nil where it is lost.
    package let path: String?
    /// How often that has failed, with the remote at fault.
    package let attempts: Int

    package init(name: String, contentType: String, size: Int, path: String?, attempts: Int) {
        self.name = name
        self.contentType = contentType
        self.size = size
        self.path = path
        self.attempts = attempts
    }
}
