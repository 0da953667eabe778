import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteHTTP
import RemoteService

/// The classified answer of a tables server to one request.
enum TableAnswer {
    /// Status 2xx: the JSON of the body; nil for an empty body.
    case success(JSONValue?)
    /// Status 412 or 409: the server's row, if the body has one.
    case conflict(JSONObject?)
    /// The row does not exist, or belongs to another user: status 404, or status 410 for a tombstone.
    /// - Parameter isCertain: false if the answer does not tell whether the row or the table does not exist.
    case absent(message: String, isCertain: Bool)
    case failure(TableFailure)
}

/// A failed request to a tables server.
enum TableFailure: Error, Hashable {
    /// Status 401: the server did not execute the request.
    case unauthorized(message: String)
    /// Status 400, 403, 405 and other 4xx: refused permanently. The server did not execute the request.
    case refused(code: Int, message: String)
    /// The body of the request is too large. The server did not execute the request.
    case tooLarge(message: String)
    /// Status 404 with a web page, or a redirect: there is no such table or route. The answer does not show whether a
    /// row exists.
    case misaddressed(status: Int, reason: String)
    /// Status 429: the server did not execute the request.
    case throttled(retryAfter: Duration?, reason: String)
    /// Status 503: the server may have executed the request.
    case unavailable(retryAfter: Duration?, reason: String)
    /// Status 500 with JSON. Most such failures are permanent, for example that of an unknown column, but the status
    /// does not show this.
    case failed(status: Int, reason: String)
    /// Any other failure: another status, or an answer that does not follow the protocol.
    case faulty(status: Int, reason: String)
    /// The answer has too many values.
    case tooMuch(reason: String)
}

/// Classifies the answers of tables servers.
struct TableAnswerReader: Sendable {
    let cleaner: MessageCleaner

    func read(_ response: HTTPClientResponse) -> TableAnswer {
        let status = response.status.code
        let json: JSONValue?
        do {
            json = response.body.isEmpty ? nil : try JSONReader.read(response.body, depthMax: JSONReader.answerDepthMax)
        } catch let error as JSONReader.SyntaxError where error.isOverBound {
            return .failure(.tooMuch(reason: error.message))
        } catch {
            json = nil
        }
        switch status {
        case 200, 201:
            guard let json else {
                let isPage = response.isWebPage
                return .failure(
                    isPage
                        ? .misaddressed(status: status, reason: "it sends a web page")
                        : .faulty(status: status, reason: "the answer is not JSON"))
            }
            return .success(json)
        case 204: return .success(nil)
        case 409, 412: return .conflict(json?.object)
        case 404 where json?.object != nil:
            return .absent(message: message(in: json) ?? "The row does not exist.", isCertain: true)
        case 404 where !response.isWebPage: return .absent(message: "The row does not exist.", isCertain: false)
        case 410: return .absent(message: message(in: json) ?? "The row is deleted.", isCertain: true)
        default: return .failure(failure(response, json))
        }
    }

    private func failure(_ response: HTTPClientResponse, _ json: JSONValue?) -> TableFailure {
        let status = response.status.code
        let message = message(in: json) ?? text(of: response) ?? "no reason was given"
        switch status {
        case 401: return .unauthorized(message: message)
        // A tables server sends web pages only for missing routes. Other web pages come from a proxy, or from a web
        // site that was stopped.
        case 400, 402...403, 405..<408, 409..<429, 430..<500:
            if response.isWebPage { return .misaddressed(status: status, reason: "it sends a web page") }
            return refusal(status, message)
        case 404: return .misaddressed(status: status, reason: "there is no such table")
        case 429: return .throttled(retryAfter: response.retryAfter, reason: message)
        case 300..<400: return .misaddressed(status: status, reason: "it redirects to another address")
        case 503: return .unavailable(retryAfter: response.retryAfter, reason: message)
        case 500 where json?.object != nil: return .failed(status: status, reason: message)
        default: return .faulty(status: status, reason: message)
        }
    }

    /// The failure for a status with which the server refuses a request. Status 425 asks the client to repeat the
    /// request.
    private func refusal(_ status: Int, _ message: String) -> TableFailure {
        switch status {
        case 403, 405: .refused(code: ParseError.Code.operationForbidden.rawValue, message: message)
        case 413, 431: .tooLarge(message: message)
        case 425: .faulty(status: status, reason: message)
        default: .refused(code: ParseError.Code.validationFailed.rawValue, message: message)
        }
    }

    private func message(in json: JSONValue?) -> String? {
        let body = json?.object
        // ASP.NET answers a failed validation with `title` and `errors`.
        return (body?["error"]?.string ?? body?["message"]?.string ?? body?["title"]?.string ?? json?.string).map(
            cleaner.clean)
    }

    /// The body as a message, if the body is plain text.
    private func text(of response: HTTPClientResponse) -> String? {
        guard !response.body.isEmpty, !response.isWebPage else { return nil }
        let text = String(decoding: response.body, as: UTF8.self)
        return text.isEmpty ? nil : cleaner.clean(text)
    }
}

extension TableFailure {
    /// The failure as the error of a read.
    var remoteError: RemoteError {
        switch self {
        // A token may be refused by one table and accepted by another.
        case .unauthorized(let message): .classUnauthorized(message: message)
        case .refused(let code, let message): .refused(code: code, message: message)
        case .tooLarge(let message): .refused(code: ParseError.Code.objectTooLarge.rawValue, message: message)
        case .misaddressed(let status, let reason): .misaddressed(status: status, reason: reason)
        case .throttled(let retryAfter, let reason), .unavailable(let retryAfter, let reason):
            .overloaded(retryAfter: retryAfter, reason: reason)
        case .failed(let status, let reason): .failed(status: status, reason: reason)
        case .faulty(let status, let reason): .faulty(status: status, reason: reason)
        case .tooMuch(let reason): .tooMuch(reason: reason)
        }
    }

    /// The failure as the outcome of a write.
    var pushOutcome: PushOutcome {
        switch self {
        // A token may be refused by one table and accepted by another.
        case .unauthorized(let message): .classUnauthorized(message: message)
        case .refused(let code, let message): .refused(code: code, message: message)
        case .tooLarge(let message): .refused(code: ParseError.Code.objectTooLarge.rawValue, message: message)
        // The URL in the settings, or the path of one table, may be wrong, so the change stays pending instead of being
        // rejected.
        case .misaddressed(_, let reason): .unknown(reason: reason)
        case .throttled(let retryAfter, let reason): .retry(after: retryAfter, reason: reason)
        case .failed(_, let reason):
            .unknown(reason: reason, code: ParseError.Code.internalServerError.rawValue)
        case .unavailable(_, let reason), .faulty(_, let reason), .tooMuch(let reason): .unknown(reason: reason)
        }
    }
}

extension HTTPClientResponse {
    /// Whether the body begins like HTML.
    fileprivate var isWebPage: Bool { body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<") }
}
