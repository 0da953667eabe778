import Foundation
import GatewayAPI
import HTTPClient
import HTTPServer
import HTTPTypes
import Logging
import ParseModel
import StoreService

/// The API of a standalone gateway that does not run, for commands on its data directory. Requests reach the API
/// without a socket. While this value exists, no gateway can use the directory.
package struct StoppedGateway: HTTPTransport {
    private let api: GatewayAPI
    private let masterKey: String

    /// Opens the store in a data directory.
    /// - Throws: `GatewayError` if the directory has no file, is in use, or belongs to a replica.
    package init(
        directory: String, stores: any StoreKind, environment: Environment = .live, logger: Logger
    ) throws(GatewayError) {
        guard FileManager.default.fileExists(atPath: directory + "/tidegate.sqlite") else {
            throw GatewayError("\(directory) is not the data directory of a gateway: it has no tidegate.sqlite")
        }
        let configuration = GatewayConfiguration(dataDirectory: directory)
        masterKey = environment.secret()
        do {
            if let remote = try stores.remoteOutline(in: directory)?.remote {
                throw GatewayError(
                    "\(directory) is the data directory of a replica of \(remote.url), which has the users and roles. 'tidegate "
                        + "status' shows the users who have signed in to the running replica, and 'tidegate user forget' "
                        + "removes the data of one")
            }
            let store = try stores.open(configuration.store(), environment: environment)
            api = Standalone.api(
                APIParts(
                    store: store.objects, configuration: configuration.api(masterKey: Secret(masterKey)),
                    environment: environment, logger: logger),
                accounts: store.accounts)
        } catch {
            throw GatewayError(error)
        }
    }

    /// A client with the rights of the master key.
    package var client: GatewayClient {
        GatewayClient(url: Self.url, accessKey: nil, masterKey: masterKey, transport: self)
    }

    private static let url = "http://127.0.0.1"

    package func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        let parts = request.url.dropFirst(Self.url.count).split(separator: "?", maxSplits: 1).map(String.init)
        var headers = request.headers
        headers[HTTPField.Name("Host")!] = "127.0.0.1"
        let response = await api.handle(
            HTTPServerRequest(
                method: request.method, path: parts.first ?? "/", query: parts.count > 1 ? parts[1] : nil,
                headers: headers, body: request.body)
        ).response()
        return HTTPClientResponse(status: response.status, headers: response.headers, body: response.body)
    }
}
