import HTTPServer
import HeaderNames
import ParseModel

/// How a client sends the content of a file (`X-Parse-Upload-Mode`).
enum UploadMode {
    /// As the whole body, or as JSON. The content type and the keys in the headers decide.
    case buffered
    /// As the whole body. The content type and the keys in the headers do not matter.
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
