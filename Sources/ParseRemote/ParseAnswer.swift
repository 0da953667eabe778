import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteHTTP

/// The result of a request or of one item of a batch: the JSON of a success (an empty object for status 204), or a
/// failure.
typealias ParseAnswer = Result<JSONValue, ParseFailure>

/// Classifies the answers from the remote's URL, also those of a server that is not a Parse Server. Malformed answers
/// are expected: a `code` that is not an integer, an `error` that is not a string, or a status 200 without a valid
/// body.
struct AnswerReader: Sendable {
    let cleaner: MessageCleaner

    /// - Parameter secrets: the keys that no message may contain, each of at least eight bytes.
    init(secrets: [String]) { cleaner = MessageCleaner(secrets: secrets) }

    func clean(_ text: String) -> String { cleaner.clean(text) }

    /// Classifies the answer to a whole request.
    func read(_ response: HTTPClientResponse) -> ParseAnswer {
        let status = response.status.code
        if response.headers[.tidegateMode] == "replica" { return .failure(.replica(status: status)) }
        let json: JSONValue?
        do {
            json = try JSONReader.read(response.body, depthMax: JSONReader.answerDepthMax)
        } catch let error as JSONReader.SyntaxError where error.isOverBound {
            return .failure(.tooMuch(reason: error.message))
        } catch {
            json = nil
        }
        switch status {
        case 204: return .success([:])
        case 206: return .failure(.faulty(status: status, reason: "the server sent a part of its answer"))
        case 200..<300:
            return json.map { .success($0) } ?? .failure(unreadable(response.body, status: status))
        default: return .failure(failure(of: response, body: json?.object))
        }
    }

    /// Classifies the answer to each item of a batch. Fails if the batch failed as a whole.
    /// - Parameter count: the number of items in the request.
    func readBatch(_ response: HTTPClientResponse, count: Int) -> Result<[ParseAnswer], ParseFailure> {
        let status = response.status.code
        let answer = read(response).mapError { failure in
            guard case .faulty(_, let reason) = failure, response.isRateLimited(isBatch: true) else { return failure }
            return ParseFailure.throttled(retryAfter: response.retryAfter, reason: reason)
        }
        return answer.flatMap { value in
            guard let items = value.array else {
                return .failure(.faulty(status: status, reason: "the answer to the batch is not a list"))
            }
            guard items.count == count else {
                return .failure(
                    .faulty(status: status, reason: "the batch of \(count) got \(items.count) answers"))
            }
            return .success(items.map { item($0, status: status) })
        }
    }

    private func failure(of response: HTTPClientResponse, body: JSONObject?) -> ParseFailure {
        let status = response.status.code
        let message = message(in: body) ?? "no reason was given"
        switch status {
        case 401: return .unauthorized(message: message)
        case 413: return .tooLarge(reason: message)
        case 429: return .throttled(retryAfter: response.retryAfter, reason: message)
        case 400..<500:
            if let code = body?["code"]?.int { return ParseFailure(code: code, message: message, status: status) }
            if status == 403 {
                let isPage = Self.firstByte(response.body) == UInt8(ascii: "<")
                return .unauthorized(
                    message: isPage ? "the answer is a web page, which no Parse Server sends" : message)
            }
            if status == 404 || status == 405 { return .misaddressed(status: status, reason: Self.unknownPath) }
            return .faulty(status: status, reason: message)
        // A Parse Server never answers 501 to the methods that this client uses.
        case 501: return .misaddressed(status: status, reason: Self.unknownPath)
        case 503: return .unavailable(retryAfter: response.retryAfter, reason: message)
        case 301, 302, 303, 307, 308:
            return .misaddressed(status: status, reason: "it redirects to another address")
        case 500 where body?["code"]?.int == ParseError.Code.internalServerError.rawValue:
            return .failed(status: status, code: ParseError.Code.internalServerError.rawValue, reason: message)
        default: return .faulty(status: status, reason: message)
        }
    }

    private static let unknownPath = "it does not take such requests (is the mount path right? often it is /parse)"

    private static func firstByte(_ body: [UInt8]) -> UInt8? { body.first { !" \t\r\n".utf8.contains($0) } }

    /// Classifies an answer with status 2xx that is not JSON. A body that is empty or begins like JSON counts as damaged in
    /// transit. Any other body comes from another kind of server.
    private func unreadable(_ body: [UInt8], status: Int) -> ParseFailure {
        switch Self.firstByte(body) {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["): .faulty(status: status, reason: "the answer is not JSON")
        case UInt8(ascii: "<"): .misaddressed(status: status, reason: "it sends a web page")
        default: .misaddressed(status: status, reason: "it sends something else than JSON")
        }
    }

    private func item(_ value: JSONValue, status: Int) -> ParseAnswer {
        switch (value.object?["success"], value.object?["error"]) {
        case (let success?, nil): return .success(success)
        case (nil, let error?):
            let message = message(in: error.object) ?? "no message"
            guard let code = error.object?["code"]?.int else {
                return .failure(.faulty(status: status, reason: "an error without a number: \(message)"))
            }
            return .failure(ParseFailure(code: code, message: message, status: status))
        default:
            return .failure(.faulty(status: status, reason: "an item of the batch is neither success nor error"))
        }
    }

    /// The error message in a body, from `error` or `message`; nil for none. An `error` that is an object is ignored, because it
    /// may contain the values of a query.
    private func message(in body: JSONObject?) -> String? {
        (body?["error"]?.string ?? body?["message"]?.string).map(clean)
    }
}
