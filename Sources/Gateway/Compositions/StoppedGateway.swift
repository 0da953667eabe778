import Foundation
import GatewayAPI
import HTTPClient
import HTTPServer
import HTTPTypes
import Logging
import ParseModel
import RemoteService
import StoreService

/// The API of a gateway that does not run, for commands on its data directory. Requests reach the API without a socket,
/// and nothing reaches the remote. While this value exists, no gateway can use the directory.
package struct StoppedGateway: HTTPTransport {
    private let api: GatewayAPI
    private let audit: AuditLog
    private let masterKey: String
    /// The key with which imported objects keep their times; nil in a replica, whose remote gives the times.
    package let maintenanceKey: String?
    /// The data directory of a replica, whose sessions only the running gateway can check; nil for a standalone gateway.
    private let replicaDirectory: String?

    /// Opens the store of a standalone gateway.
    /// - Throws: `GatewayError` if the directory has no file, is in use, or belongs to a replica.
    package static func standalone(
        in directory: String, stores: any StoreKind, environment: Environment = .live, logger: Logger
    ) async throws(GatewayError) -> StoppedGateway {
        if let remote = try outline(in: directory, stores)?.remote {
            throw GatewayError(
                "\(directory) is the data directory of a replica of \(remote.url), which has the users and roles. 'tidegate "
                    + "status' shows the users who have signed in to the running replica, and 'tidegate user forget' "
                    + "removes the data of one")
        }
        return try await StoppedGateway(in: directory, stores: stores, environment: environment, logger: logger)
    }

    /// Opens the store in a data directory. In a replica, changes are queued until the gateway runs again. Of a personal
    /// replica, it is the gateway's own store.
    /// - Throws: `GatewayError` if the directory has no file or is in use, or if the gateway is a site replica, because
    ///   the changes of a site need the sessions of their authors.
    package init(
        in directory: String, stores: any StoreKind, environment: Environment = .live, logger: Logger
    ) async throws(GatewayError) {
        let outline = try Self.outline(in: directory, stores)
        replicaDirectory = outline == nil ? nil : directory
        masterKey = environment.secret()
        audit = AuditLog(directory: directory, now: environment.now, logger: logger)
        var configuration = GatewayConfiguration(dataDirectory: directory)
        configuration.localKeys.masterKey = Secret(masterKey)
        maintenanceKey = outline == nil ? environment.secret() : nil
        configuration.localKeys.maintenanceKey = maintenanceKey.map { Secret($0) }
        do {
            guard let outline else {
                let store = try stores.open(configuration.store(), environment: environment)
                api = Standalone.api(
                    APIParts(
                        store: store.objects, configuration: configuration.api(masterKey: Secret(masterKey)),
                        environment: environment, logger: logger, audit: audit),
                    accounts: store.accounts)
                return
            }
            if outline.people == PeopleSettings.Mode.site.rawValue {
                throw GatewayError("\(directory) is the data directory of a site replica: start the gateway first")
            }
            configuration.remote = GatewayConfiguration.Remote(
                kind: RemoteKind(rawValue: outline.remote.kind), url: outline.remote.url,
                applicationId: outline.remote.applicationId)
            api = try await ReplicaSpace.open(
                SpaceParts(
                    configuration: configuration, stores: stores, remotes: .unreachable,
                    isOwnAddress: { _ in false }, environment: environment, audit: audit, logger: logger, program: nil)
            ).api
        } catch {
            throw GatewayError(error)
        }
    }

    private static func outline(
        in directory: String, _ stores: any StoreKind
    ) throws(GatewayError) -> RemoteOutline? {
        try BackupFiles.requireStore(in: directory)
        do { return try stores.remoteOutline(in: directory) } catch { throw GatewayError(error) }
    }

    /// A client with the rights of the master key.
    package var client: GatewayClient {
        GatewayClient(url: Self.url, credentials: GatewayCredentials(masterKey: masterKey), transport: self)
    }

    /// A client with the rights of a session.
    /// - Throws: `GatewayError` for a replica.
    package func client(sessionToken: String) throws(GatewayError) -> GatewayClient {
        if let replicaDirectory {
            throw GatewayError(
                "\(replicaDirectory) is the data directory of a replica, and only a running replica serves its users: start "
                    + "the gateway first")
        }
        var credentials = GatewayCredentials()
        credentials.sessionToken = sessionToken
        return GatewayClient(url: Self.url, credentials: credentials, transport: self)
    }

    private static let url = "http://127.0.0.1"

    package func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        let response = try await answer(to: request)
        return HTTPClientResponse(status: response.status, headers: response.headers, body: response.body)
    }

    package func send(
        _ request: HTTPClientRequest, into sink: @escaping HTTPResponseSink
    ) async throws(HTTPTransportError) -> HTTPClientResponse {
        let response = try await answer(to: request)
        var received = HTTPClientResponse(status: response.status, headers: response.headers)
        guard response.status.kind == .successful else {
            received.body = response.wholeBody
            return received
        }
        guard await Self.isTaken(response.content, by: sink) else {
            throw .outcomeUnknown(reason: "the response could not be stored")
        }
        return received
    }

    private static let pieceBytes: Int64 = 1 << 20

    private static func isTaken(_ content: HTTPServerResponse.Content, by sink: HTTPResponseSink) async -> Bool {
        switch content {
        case .bytes(let bytes): return bytes.withUnsafeBytes(sink)
        case .file(let range):
            for offset in stride(from: 0, to: range.count, by: Int(pieceBytes)) {
                let count = min(pieceBytes, range.count - offset)
                let piece = FileRange(range.file, offset: range.offset + offset, count: count).bytes()
                guard piece.count == count, piece.withUnsafeBytes(sink) else { return false }
            }
            return true
        case .stream(let stream):
            defer { stream.closed() }
            let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            stream.setWaker { signal.yield() }
            var iterator = signals.makeAsyncIterator()
            while true {
                switch stream.next() {
                case .bytes(let bytes): guard bytes.withUnsafeBytes(sink) else { return false }
                case .wait: _ = await iterator.next()
                case .end: return true
                }
            }
        case .webSocket: return false
        }
    }

    private func answer(to request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPServerResponse {
        let parts = request.url.dropFirst(Self.url.count).split(separator: "?", maxSplits: 1).map(String.init)
        var headers = request.headers
        headers[HTTPField.Name("Host")!] = "127.0.0.1"
        var received = HTTPServerRequest(
            method: request.method, path: parts.first ?? "/", query: parts.count > 1 ? parts[1] : nil,
            headers: headers, body: request.body)
        if let file = request.bodyFile {
            switch api.bodyPlace(for: received) {
            case .memory: received.body = request.wholeBody
            case .refused(let refusal): return refusal
            case .sink(let sink):
                do { try Self.fill(sink, from: file.path) } catch { throw .notSent(reason: "\(error)") }
                received.sink = sink
            }
        }
        let response = await api.handle(received).response()
        await audit.flush()
        return response
    }

    private static func fill(_ sink: any HTTPBodySink, from path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        while let piece = try file.read(upToCount: Int(pieceBytes)), !piece.isEmpty {
            try piece.withUnsafeBytes { try sink.write($0) }
        }
    }
}
