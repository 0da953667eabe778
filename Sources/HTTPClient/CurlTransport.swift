/// Carries requests by libcurl: many at a time on one thread, connections kept alive and reused.
package final class CurlTransport: HTTPTransport {
    private let configuration: Configuration
    private let loop: CurlLoop

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loop = CurlLoop(transfersMax: max(1, configuration.transfersMax))
    }

    deinit {
        loop.close()
    }

    /// Sends one request; when the calling task is cancelled the transfer ends at once.
    ///
    /// - Throws: ``HTTPTransportError``, `.notSent` only where libcurl never got as far as a ready connection.
    package func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        try await carry(CurlTransfer(request: request, configuration: configuration))
    }

    package func send(
        _ request: HTTPClientRequest, into sink: @escaping HTTPResponseSink
    ) async throws(HTTPTransportError) -> HTTPClientResponse {
        try await carry(CurlTransfer(request: request, sink: sink, configuration: configuration))
    }

    private func carry(_ transfer: CurlTransfer) async throws(HTTPTransportError) -> HTTPClientResponse {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.submit(.start(transfer, continuation))
            }
        } onCancel: {
            loop.submit(.cancel(transfer))
        }
        return try result.get()
    }

    /// Ends the transfers at hand and the thread. Later requests are refused as not sent.
    package func close() {
        loop.close()
    }
}
