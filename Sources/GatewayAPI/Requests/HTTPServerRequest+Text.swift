import HTTPServer
import HTTPTypes

extension HTTPServerRequest {
    /// The body as UTF-8 text without a byte order mark. As on Parse Server, the `charset` of the content type may name UTF-16. Every other
    /// body is read as UTF-8.
    var textBody: [UInt8] {
        guard let charset, charset.hasPrefix("utf-16") else {
            return body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
        }
        let isBigEndian: Bool
        switch charset {
        case "utf-16be": isBigEndian = true
        case "utf-16le": isBigEndian = false
        // Without a byte order mark, the first byte decides. The first character of JSON has a code below 256, so its
        // high byte is 0.
        default: isBigEndian = body.starts(with: [0xFE, 0xFF]) || body.first == 0
        }
        var units: [UInt16] = []
        units.reserveCapacity(body.count / 2)
        for place in stride(from: 0, to: body.count - 1, by: 2) {
            let (first, second) = (UInt16(body[place]), UInt16(body[place + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        if units.first == 0xFEFF { units.removeFirst() }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The parameter `charset` of the content type, in lower case; nil without one.
    private var charset: String? {
        guard let type = headers[.contentType], type.contains(";") else { return nil }
        for parameter in type.lowercased().split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
            if parts.count == 2, parts[0] == "charset" { return parts[1] }
        }
        return nil
    }
}
