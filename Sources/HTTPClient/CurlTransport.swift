/// Sends requests with libcurl. One thread runs many concurrent transfers over kept-alive connections.
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

    /// Sends one request. If the calling task is cancelled, the transfer is aborted at once.
    ///
    /// - Throws: ``HTTPTransportError``. `.notSent` means that libcurl never had a connection on which to send.
    package func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        try await carry(CurlTransfer(request: request, configuration: configuration))
    }

    /// Sends one request and passes the body of a successful response (2xx) to `sink`.
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

    /// Aborts all transfers and ends the thread. Later requests fail with `.notSent`.
    package func close() {
        loop.close()
    }
}
