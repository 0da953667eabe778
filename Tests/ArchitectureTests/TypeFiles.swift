/// The files of each type in a target: that of its declaration and those of its extensions.
///
/// A declaration begins at the start of a line. An extension of a nested type counts for the outer type. Private types of several files
/// are different types, and are not counted.
struct TypeFiles {
    /// The paths by target and type.
    private(set) var paths: [String: [Substring: Set<String>]] = [:]

    init(_ sources: [SourceFile]) {
        let declaration =
            #/
            (?: @\w+ (?: \([^)]*\) )? \s+ )*
            ((?: (?: public | package | internal | fileprivate | private | final | indirect | nonisolated ) \s+ )*)
            ( struct | class | enum | protocol | actor | extension ) \s+ ([A-Z]\w*)
            /#
        for file in sources {
            for line in file.code {
                guard let match = line.prefixMatch(of: declaration) else { continue }
                if match.1.contains("private"), match.2 != "extension" { continue }
                paths[file.target, default: [:]][match.3, default: []].insert(file.path)
            }
        }
    }
}
