import HTTPServer
import Logging

/// Builds responses for errors, and logs internal errors.
struct ErrorResponder: Sendable {
    let responses: ResponseBuilder
    let logger: Logger

    func response(to error: any Error, _ request: HTTPServerRequest) -> HTTPServerResponse {
        responses.error(answer(to: error, request))
    }

    func answer(to error: any Error, _ request: HTTPServerRequest) -> ErrorAnswer {
        let answer = ErrorAnswer(error)
        if answer.belongsInLog {
            logger.error(
                "request failed",
                metadata: ["method": "\(request.method)", "path": "\(request.path)", "error": "\(error)"])
        }
        return answer
    }
}
