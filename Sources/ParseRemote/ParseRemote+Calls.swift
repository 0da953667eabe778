import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteService

extension ParseRemote: RemoteCallService {
    package func query(_ className: String, parameters: JSONObject) async throws(RemoteError) -> JSONObject {
        let answer = reader.read(try await response(to: requests.query(className, parameters)))
        guard let object = try answer.orRemoteError().object, object["results"]?.array != nil else {
            throw .faulty(status: 200, reason: "the answer for \(className) has no results")
        }
        return object
    }

    /// Sends a call with the application id and the client key of the configuration. The master key comes from the call.
    package func call(_ call: RemoteCall) async throws(RemoteError) -> RemoteAnswer {
        let response: HTTPClientResponse
        do {
            response = try await callTransport.send(requests.call(call))
        } catch {
            throw reader.cleaner.remoteError(of: error)
        }
        guard response.status.kind != .redirection, response.status.kind != .informational else {
            throw .misaddressed(status: response.status.code, reason: "it redirects to another address")
        }
        return RemoteAnswer(
            status: response.status, headers: response.headers, body: response.body,
            location: response.headers[.location].flatMap(requests.pathBelowMount))
    }
}
