import HTTPTypes
import HeaderNames
import WebSocketFrames

/// The server's side of a WebSocket's opening handshake (RFC 6455 §4.2).
struct WebSocketHandshake {
    /// The status of the response: 101 if the handshake is correct.
    let status: HTTPResponse.Status
    /// The headers of the response.
    let headers: HTTPFields

    init(_ request: HTTPServerRequest) {
        let keys = request.headers[values: .webSocketKey]
        let versions = request.headers[values: .webSocketVersion]
        guard request.asksForWebSocket, request.isHTTP11, request.has("upgrade", in: .connection),
            keys.count == 1, WebSocketKey.isValid(keys[0]), versions.count == 1,
            request.body.isEmpty, request.sink == nil, request.headers.first(.transferEncoding) == nil
        else {
            status = .badRequest
            headers = [:]
            return
        }
        guard versions[0] == WebSocketKey.version else {
            status = .upgradeRequired
            headers = [.webSocketVersion: WebSocketKey.version]
            return
        }
        status = .switchingProtocols
        headers = [.upgrade: "websocket", .webSocketAccept: WebSocketKey.answer(to: keys[0])]
    }
}

extension HTTPServerRequest {
    /// Whether this is a GET that asks for a WebSocket. The rest of the handshake may still be wrong.
    package var asksForWebSocket: Bool { method == .get && has("websocket", in: .upgrade) }

    /// Whether the list in a header has a word. `word` is in lower case.
    fileprivate func has(_ word: String, in name: HTTPField.Name) -> Bool {
        headers[values: name].contains { value in
            value.split(separator: ",").contains { item in
                item.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased() == word
            }
        }
    }
}
