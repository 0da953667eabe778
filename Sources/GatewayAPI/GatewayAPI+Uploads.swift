import HTTPServer
import HTTPTypes

/// Uploads: where the body of a request goes, and who may send one.
extension GatewayAPI {
    package func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace {
        switch requestGuard.check(head) {
        case .passed, .passedFrom:
            guard files.isUpload(head) else { return .memory(bytesMax: nil) }
            if isUnlocked(head) { return .sink(files.sink(for: head)) }
            // The key may still come in the body, which therefore does not touch the disk before it has been read.
            if let bytesMax = files.envelopeBytesMax(of: head) { return .memory(bytesMax: bytesMax) }
        case .refused, .refusedVisit, .preflight: break
        }
        // Without its body the request is refused at once.
        guard case .now(let refusal) = handle(head) else { return .memory(bytesMax: nil) }
        return .refused(refusal)
    }

    /// Whether the credentials are enough to upload a file.
    /// - Parameter credentials: nil for those of the headers alone.
    func isUnlocked(_ request: HTTPServerRequest, _ credentials: Credentials? = nil) -> Bool {
        keyCheck.check(
            credentials ?? (try? Credentials(request.headers)), isParse: true,
            isFromPage: request.headers.contains(.tidegatePage)) != .refused
    }

    /// A content may have to be taken out of JSON first, which takes longer than the server's own thread may be kept.
    func upload(_ request: HTTPServerRequest) async -> HTTPServerResponse {
        do {
            // An upload without a sink is in memory, and stays there if its sender has no key.
            if request.sink == nil {
                guard isUnlocked(request, try files.credentials(of: request)) else { throw APIError.unauthorized }
            }
            let request = try files.unwrapped(request)
            var endpoint: Endpoint?
            return await answerWhole(request, &endpoint).response()
        } catch {
            return answer(to: error, request)
        }
    }
}
