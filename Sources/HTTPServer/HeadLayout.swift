import CMicroHTTPD
import Foundation

/// The method and the version of a request, and the layout of its request line in libmicrohttpd's receive buffer.
struct RequestLineLayout {
    /// The method, up to its first NUL byte.
    let methodText: String
    let methodCount: Int
    /// False for HTTP/1.0, true for any other version.
    let isHTTP11: Bool
    /// Checks the layout of the headers that follow the request line.
    let layout: HeadLayout

    /// - Parameters:
    ///   - targetPlace: the memory address of the request target.
    ///   - targetCount: the length of the target in bytes, up to a NUL byte.
    init(method: UnsafePointer<CChar>, targetPlace: UInt, targetCount: Int, version: UnsafePointer<CChar>) {
        methodText = String(cString: method)
        methodCount = strlen(method)
        isHTTP11 = strcmp(version, "HTTP/1.0") != 0
        let begin = UInt(bitPattern: method)
        let versionPlace = UInt(bitPattern: version)
        layout = HeadLayout(
            begin: begin, next: versionPlace + UInt(strlen(version)) + 2,
            isInOrder: targetPlace == begin + UInt(methodCount) + 1
                && versionPlace == targetPlace + UInt(targetCount) + 1)
    }
}

/// Checks that only HTTP's separators lie between the method, target, version, names and values that libmicrohttpd 0.9 parsed.
///
/// Other bytes show that libmicrohttpd has taken a line without a name for the end of the headers, joined folded lines, accepted
/// a bare LF as a line end, or cut a text at a NUL. In each case a proxy could read other headers or another end of the request
/// (RFC 9112 §2.2, §5). libmicrohttpd 1.0 and later refuse these heads themselves. With these versions, every head passes.
struct HeadLayout {
    private let begin: UInt
    /// The address in the receive buffer at which the next header must begin.
    private var next: UInt
    private let isInOrder: Bool

    init(begin: UInt, next: UInt, isInOrder: Bool) {
        self.begin = begin
        self.next = next
        self.isInOrder = isInOrder
    }

    /// Checks that the next header begins where the previous line ends, and that only spaces and tabs lie between the header's
    /// colon and value.
    /// - Returns: false if other bytes lie before or within the header. Always true with libmicrohttpd 1.0 and later.
    mutating func accepts(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        guard tidegate_mhd_keeps_heads_in_place() else { return true }
        let place = UInt(bitPattern: value.baseAddress)
        guard isInOrder, UInt(bitPattern: name.baseAddress) == next else { return false }
        let afterColon = next + UInt(name.count) + 1
        guard place >= afterColon, let colon = name.baseAddress?.advanced(by: name.count + 1) else { return false }
        let blanks = UnsafeRawBufferPointer(start: colon, count: Int(place - afterColon))
        guard blanks.count <= Self.blanksMax, blanks.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return false }
        next = place + UInt(value.count) + 2
        return true
    }

    /// Whether single bytes separate the parts of the request line, and only an empty line follows the last header. Always true
    /// with libmicrohttpd 1.0 and later.
    /// - Parameter count: the length of the whole head in bytes.
    func ends(after count: Int) -> Bool {
        !tidegate_mhd_keeps_heads_in_place() || isInOrder && next + 2 == begin + UInt(count)
    }

    /// The maximum number of bytes between a header's colon and its value. If there are more, the head is refused and the bytes
    /// are not read, because the value may lie outside of the receive buffer.
    private static let blanksMax = 4096
}
