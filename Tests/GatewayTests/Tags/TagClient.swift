import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import Testing

@testable import Gateway

/// A local client of a gateway that reads the tags of objects.
struct TagClient: Sendable {
    let client: FileClient

    init(_ api: GatewayAPI) { client = FileClient(api: api) }

    /// The header `X-Tidegate-Tag` of the answer to a read by id.
    func tag(
        _ className: String, _ id: String, _ query: String = "", _ headers: HTTPFields = [:]
    ) async throws -> String {
        let answer = await client.send(.get, "/classes/\(className)/\(id)\(query)", headers)
        return try #require(answer.headers[.tidegateTag], "\(answer.status) has no tag")
    }

    func send(
        _ method: HTTPRequest.Method, _ target: String, _ body: JSONObject? = nil, ifMatch: String? = nil
    ) async throws -> (status: Int, json: JSONObject, tag: String?) {
        var headers: HTTPFields = [:]
        headers[.ifMatch] = ifMatch
        let answer = await client.send(method, target, headers, body?.jsonBytes ?? [])
        return (answer.status.code, try answer.json, answer.headers[.tidegateTag])
    }

    /// The tag in the member `_sync` of an object.
    static func tag(in object: JSONValue?) -> String? { object?.object?["_sync"]?.object?["tag"]?.string }
}
