import Foundation

/// One Swift source file with its path, its code and its imports.
struct SourceFile {
    /// The path from the package's root, such as `Sources/Gateway/Gateway.swift`.
    let path: String
    /// The directory below `Sources` or `Tests`.
    let target: String
    let lineCount: Int
    /// The text with comments blanked out; lines keep their numbers.
    let code: [Substring]

    init(path: String, text: String) {
        self.path = path
        let parts = path.split(separator: "/")
        target = parts.count > 1 ? String(parts[1]) : ""
        let ended = text.hasSuffix("\n") ? text.dropLast() : text[...]
        lineCount = ended.split(separator: "\n", omittingEmptySubsequences: false).count
        code = Self.withoutComments(text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The modules that the file imports, with the numbers of the lines.
    var imports: [(module: String, line: Int)] {
        let statement =
            #/
            \s* (?: @\w+ (?: \([^)]*\) )? \s+ )*
            (?: (?: public | package | internal | fileprivate | private ) \s+ )?
            import \s+ (?: (?: struct | class | enum | protocol | typealias | func | let | var ) \s+ )?
            (\w+)
            /#
        return code.enumerated().compactMap { index, line in
            line.prefixMatch(of: statement).map { (String($0.1), index + 1) }
        }
    }

    /// All Swift files below a directory of the package, sorted by path.
    static func all(below directory: String, root: URL) throws -> [SourceFile] {
        let base = root.appending(path: directory)
        guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
        let paths = walk.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
        return try paths.map { path in
            let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
            return SourceFile(path: "\(directory)/\(path)", text: text)
        }
    }

    /// Blanks `//` and nested `/* */` out. Strings are recognized, because they may hold both; their text stays.
    private static func withoutComments(_ text: String) -> String {
        enum Place {
            case code
            case string(quotes: Int)
            case lineComment
            case blockComment(depth: Int)
        }
        var place = Place.code
        var kept: [UInt8] = []
        let bytes = Array(text.utf8)
        var at = 0
        func next(_ word: String) -> Bool { bytes[at...].starts(with: word.utf8) }
        while at < bytes.count {
            var step = 1
            switch place {
            case .code:
                if next("//") {
                    place = .lineComment
                } else if next("/*") {
                    place = .blockComment(depth: 1)
                    step = 2
                } else if next("\"\"\"") {
                    place = .string(quotes: 3)
                    step = 3
                } else if next("\"") {
                    place = .string(quotes: 1)
                }
            case .string(let quotes):
                if next("\\") {
                    step = 2
                } else if next(String(repeating: "\"", count: quotes)) {
                    place = .code
                    step = quotes
                } else if quotes == 1, next("\n") {
                    place = .code
                }
            case .lineComment: if next("\n") { place = .code }
            case .blockComment(let depth):
                if next("*/") {
                    place = depth == 1 ? .code : .blockComment(depth: depth - 1)
                    step = 2
                } else if next("/*") {
                    place = .blockComment(depth: depth + 1)
                    step = 2
                }
            }
            let taken = bytes[at..<min(at + step, bytes.count)]
            switch place {
            case .code, .string: kept += taken
            case .lineComment, .blockComment: kept += taken.filter { $0 == UInt8(ascii: "\n") }
            }
            at += step
        }
        return String(decoding: kept, as: UTF8.self)
    }
}
