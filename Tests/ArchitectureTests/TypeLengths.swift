/// The lines of each type: its declaration and all its extensions, in whichever files and targets they stand.
///
/// A declaration begins at the start of a line and ends with the first brace at the start of a line, as the formatter leaves
/// it. A nested type counts for the outer one; an extension of a nested type counts for itself.
struct TypeLengths {
    private(set) var lines: [String: Int] = [:]

    init(_ sources: [SourceFile]) {
        let declaration =
            #/
            (?: @\w+ (?: \([^)]*\) )? \s+ )*
            (?: (?: public | package | internal | fileprivate | private | final | indirect | nonisolated ) \s+ )*
            (?: struct | class | enum | protocol | actor | extension ) \s+ ([A-Z][\w.]*)
            /#
        for file in sources {
            var open: (name: String, start: Int)?
            for (index, line) in file.code.enumerated() {
                if open == nil, let match = line.prefixMatch(of: declaration) { open = (String(match.1), index) }
                guard let (name, start) = open else { continue }
                let ends = line.hasPrefix("}") || index == start && line.last { $0 != " " } == "}"
                guard ends else { continue }
                lines[name, default: 0] += index - start + 1
                open = nil
            }
        }
    }
}
