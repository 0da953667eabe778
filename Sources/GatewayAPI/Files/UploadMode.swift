import HTTPServer
import HeaderNames
import ParseModel

/// How a client sends the content of a file (`X-Parse-Upload-Mode`).
enum UploadMode {
    /// The content is the whole body, or a member of a JSON body. Headers and body decide which.
    case buffered
    /// The content is always the whole body. The content type and the keys in the headers do not matter.
    case stream

    init(_ head: HTTPServerRequest) {
        self = head.headers[.parseUploadMode]?.lowercased() == "stream" ? .stream : .buffered
    }

    /// The error for a content that is too long.
    func tooLong(bytesMax: Int) -> any Error {
        switch self {
        case .buffered: APIError.fileTooLarge
        case .stream: ParseError(.fileSaveError, "File size exceeds maximum allowed: \(bytesMax) bytes.")
        }
    }
}
