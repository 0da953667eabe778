import CMicroHTTPD
import Foundation

/// The first line of a request, where libmicrohttpd has received it.
struct RequestLine {
    let methodText: String
    let methodCount: Int
    let isHTTP11: Bool
    /// Behind the line.
    let layout: HeadLayout

    /// - Parameters:
    ///   - targetPlace: where the target began.
    ///   - targetCount: how many bytes it had, up to a first NUL.
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

/// Checks that a head consists of the texts that libmicrohttpd 0.9 has found in it, one after the other, and of nothing else.
///
/// That library takes a line without a name for the end of the headers, joins folded lines, takes a bare LF for the end of
/// a line, and ends texts at a NUL. A proxy in front may see other headers in each of these, and another end of the request
/// (RFC 9112 §2.2, §5). All of them leave a gap between the texts.
struct HeadLayout {
    private let begin: UInt
    /// Where the next line has to begin.
    private var next: UInt
    private let isInOrder: Bool

    init(begin: UInt, next: UInt, isInOrder: Bool) {
        self.begin = begin
        self.next = next
        self.isInOrder = isInOrder
    }

    /// The next header; only blanks may stand between its colon and its value.
    mutating func takes(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
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

    /// Whether an empty line ends the head here.
    /// - Parameter count: bytes of the whole head.
    func ends(after count: Int) -> Bool {
        !tidegate_mhd_keeps_heads_in_place() || isInOrder && next + 2 == begin + UInt(count)
    }

    /// More blanks than this would lie outside of the received bytes, if the value does.
    private static let blanksMax = 4096
}
