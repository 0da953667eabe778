import Foundation

/// The output of a command, as far as it decides about the form of the text.
struct Terminal {
    /// The number of columns; nil if the output is not a terminal, for which nothing is cut.
    var columns: Int?
    var hasColors: Bool

    /// The standard output of this process.
    static var standardOutput: Terminal {
        let environment = ProcessInfo.processInfo.environment
        guard isatty(STDOUT_FILENO) == 1 else { return Terminal(columns: nil, hasColors: false) }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Terminal(
            columns: isKnown
                ? Int(size.ws_col) : environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? 80,
            hasColors: wantsColors(environment))
    }

    /// Whether a terminal with these environment variables wants colours (https://no-color.org).
    static func wantsColors(_ environment: [String: String]) -> Bool {
        environment["NO_COLOR"]?.isEmpty != false && !["", "dumb"].contains(environment["TERM"] ?? "")
    }
}

/// A colour or weight of a text on a terminal.
enum TextStyle: String {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"

    func text(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
