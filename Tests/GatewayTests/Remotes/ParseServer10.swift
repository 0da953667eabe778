import HTTPServer
import HTTPTypes
import ParseModel

@testable import Gateway

/// A server with the defaults that are announced for Parse Server 10: a standalone gateway, which has the bounds of requests, behind the
/// rules that a gateway does not have.
///
/// - A write with the URL of a file is refused with code 130 (`fileUpload.allowedFileUrlDomains` is empty).
/// - The answer to a write lacks protected fields (`protectedFieldsSaveResponseExempt` is false).
///
/// Source: `src/Options/Definitions.js` of Parse Server 9.10 and its `DEPRECATIONS.md`.
struct ParseServer10: HTTPHandler {
    let gateway: CompatibilityGateway
    /// The protected fields of all classes.
    let protectedFields: Set<String>

    init(protectedFields: Set<String> = []) throws {
        gateway = try CompatibilityGateway(.nine)
        self.protectedFields = protectedFields
    }

    func handle(_ request: HTTPServerRequest) -> HTTPReply {
        guard request.method != .get, let json = try? JSONReader.read(request.body) else {
            return gateway.api.handle(request)
        }
        return .later { await answer(request, json) }
    }

    private func answer(_ request: HTTPServerRequest, _ json: JSONValue) async -> HTTPServerResponse {
        guard let items = json.object?["requests"]?.array else {
            if hasFileURL(json) { return response(400, .object(Self.refusal)) }
            var answer = await gateway.api.handle(request).response()
            guard let object = try? JSONReader.read(answer.body).object else { return answer }
            answer.body = shown(object).jsonBytes
            return answer
        }
        var allowed = request
        allowed.body = (["requests": .array(items.filter { !hasFileURL($0) })] as JSONObject).jsonBytes
        var answer = await gateway.api.handle(allowed).response()
        guard var answers = (try? JSONReader.read(answer.body).array)?[...] else { return answer }
        let whole = items.map { item -> JSONValue in
            if hasFileURL(item) { return ["error": .object(Self.refusal)] }
            let next = answers.popFirst() ?? .null
            return next.object?["success"]?.object.map { ["success": .object(shown($0))] } ?? next
        }
        answer.body = JSONValue.array(whole).jsonBytes
        return answer
    }

    private static let refusal: JSONObject = ["code": 130, "error": "Permission denied"]

    private func hasFileURL(_ json: JSONValue) -> Bool { json.files.contains { $0.url != nil } }

    private func shown(_ object: JSONObject) -> JSONObject {
        var object = object
        object.removeAll { protectedFields.contains($0) }
        return object
    }

    private func response(_ status: Int, _ json: JSONValue) -> HTTPServerResponse {
        HTTPServerResponse(
            status: .init(code: status), headers: [.contentType: "application/json"], body: json.jsonBytes)
    }
}
