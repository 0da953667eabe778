import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteService

/// Forwards the requests of local clients to a Parse Server.
struct ParseCalls: RemoteCallService {
    let exchange: ParseExchange
    /// The transport for forwarded calls. It is separate from that of the syncs, so that calls do not wait for syncs.
    let transport: any HTTPTransport

    var limits: RemoteLimits.Values { exchange.configuration.limits.current }

    func query(_ className: String, parameters: JSONObject) async throws(RemoteError) -> JSONObject {
        let answer = exchange.reader.read(
            try await exchange.response(to: exchange.requests.query(className, parameters)))
        // With `explain`, `results` may have any form.
        let isList = parameters["explain"] == nil
        guard let object = try answer.orRemoteError().object, let results = object["results"],
            !isList || results.array != nil
        else {
            throw .faulty(status: 200, reason: "the answer for \(className) has no results")
        }
        return object
    }

    /// Sends a call with the application id and the client key of the configuration. The call itself contains the
    /// master key, if any.
    func call(_ call: RemoteCall) async throws(RemoteError) -> RemoteAnswer {
        let response: HTTPClientResponse
        do {
            response = try await transport.send(exchange.requests.call(call))
        } catch {
            throw exchange.reader.cleaner.remoteError(of: error)
        }
        try exchange.reader.check(response, call.form)
        if let named = response.namedIncludeLimit { await exchange.configuration.limits.note(named) }
        return RemoteAnswer(
            status: response.status, headers: response.headers, body: response.body,
            location: response.headers[.location].flatMap(exchange.requests.pathBelowMount))
    }
}

extension AnswerReader {
    /// Checks that an answer comes from a Parse Server: it is an error in Parse's protocol, or a success in the given
    /// form. A public network, for example, answers with its own log-in page.
    fileprivate func check(_ response: HTTPClientResponse, _ form: AnswerForm) throws(RemoteError) {
        let status = response.status.code
        switch read(response) {
        case .success(let value):
            if let fault = form.fault(of: value) {
                throw .faulty(status: status, reason: "the answer is damaged: \(fault)")
            }
        case .failure(let failure):
            // A proxy may enforce a rate limit with a page of its own. The client then receives its `Retry-After`.
            guard !response.isParseError, status != 429 else { return }
            switch failure.remoteError {
            case .unauthorized(let reason), .refused(_, let reason): throw .faulty(status: status, reason: reason)
            case let error: throw error
            }
        }
    }
}

extension HTTPClientResponse {
    /// Whether the answer is an error in Parse's protocol.
    fileprivate var isParseError: Bool {
        guard [.clientError, .serverError].contains(status.kind), let body = try? JSONReader.read(body).object else {
            return false
        }
        return body["code"]?.int != nil || body["error"]?.string != nil || body["message"]?.string != nil
    }
}
