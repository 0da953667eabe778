import ParseModel

/// A response of the server.
package struct TablesAnswer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    /// True to close the connection after the response.
    var isLast = false

    static func json(_ status: Int, _ value: JSONValue) -> TablesAnswer {
        TablesAnswer(
            status: status, headers: [("Content-Type", "application/json; charset=utf-8")], body: value.jsonBytes)
    }

    static func html(_ status: Int, _ text: String) -> TablesAnswer {
        TablesAnswer(status: status, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(text.utf8))
    }

    static func text(_ status: Int, _ text: String) -> TablesAnswer {
        TablesAnswer(status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }

    /// The response with one more header.
    func with(_ name: String, _ value: String) -> TablesAnswer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }

    /// The response in the format of HTTP/1.1.
    /// - Parameter hasBody: false to leave out the body, as in the response to HEAD.
    func bytes(hasBody: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        // A response with status 204 or 304 has no body (RFC 9110 §8.6).
        if status != 204, status != 304 { head += "Content-Length: \(body.count)\r\n" }
        head += isLast ? "Connection: close\r\n\r\n" : "\r\n"
        return Array(head.utf8) + (hasBody ? body : [])
    }
}
