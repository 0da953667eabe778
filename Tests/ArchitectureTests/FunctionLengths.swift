/// The lines of each function, initializer, subscript and computed property, from its declaration to its last brace.
///
/// A body ends with the first brace that is indented like the declaration, as the formatter leaves it.
struct FunctionLengths {
    /// The path and the line of each declaration, and the number of its lines.
    private(set) var functions: [(place: String, lines: Int)] = []

    init(_ sources: [SourceFile]) {
        let declaration =
            #/
            (\s*) (?: (?: @\w+ (?: \([^)]*\) )? | \w+ (?: \(set\) )? ) \s+ )*
            (?: func \s | init [?!]? [\(<] | subscript [\(<] | deinit \s | var \s+ \w+ .* \{ $ )
            /#
        for file in sources {
            for (index, line) in file.code.enumerated() {
                guard let match = line.prefixMatch(of: declaration), let end = Self.end(of: match.1, index, file.code)
                else { continue }
                functions.append(("\(file.path):\(index + 1)", end - index + 1))
            }
        }
    }

    /// The last line of a declaration; nil for one without a body, and for one on a single line.
    private static func end(of indentation: Substring, _ start: Int, _ lines: [Substring]) -> Int? {
        if lines[start].last == "}" { return nil }
        for index in lines.indices.dropFirst(start + 1) {
            let line = lines[index]
            let content = line.drop { $0 == " " }
            if content.isEmpty || line.count - content.count > indentation.count { continue }
            guard line.count - content.count == indentation.count else { return nil }
            if content.hasPrefix("}") { return index }
            // The end of the parameters and the conditions of a generic function still belong to the declaration.
            guard content.hasPrefix(")") || content.hasPrefix("where ") else { return nil }
        }
        return nil
    }
}
