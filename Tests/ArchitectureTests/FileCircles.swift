/// The circles of files in one target: groups of files in which each file depends on each other file, directly or
/// indirectly.
///
/// A file depends on a second file when it names a type that only the second file declares. Names that several files
/// declare, and private types, make no dependency.
struct FileCircles {
    private let names: [String]
    private let dependencies: [[Int]]

    init(_ files: [SourceFile]) {
        names = files.map(\.path)
        var declaring: [Substring: Set<Int>] = [:]
        for (index, file) in files.enumerated() {
            for type in file.declaredTypes { declaring[type, default: []].insert(index) }
        }
        dependencies = files.enumerated().map { index, file in
            let others = file.namedTypes.compactMap { name -> Int? in
                guard let places = declaring[name], places.count == 1, let place = places.first else { return nil }
                return place == index ? nil : place
            }
            return Set(others).sorted()
        }
    }

    /// The paths of the files of each circle, the largest circle first.
    var circles: [[String]] {
        var search = Search(dependencies)
        for file in dependencies.indices { search.visit(file) }
        return search.circles.map { $0.map { names[$0] }.sorted() }
            .sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
    }

    /// Tarjan's algorithm for strongly connected components.
    private struct Search {
        private let dependencies: [[Int]]
        private var numbers: [Int?]
        private var lowest: [Int]
        private var stack: [Int] = []
        private var isOnStack: [Bool]
        private var visited = 0
        private(set) var circles: [[Int]] = []

        init(_ dependencies: [[Int]]) {
            self.dependencies = dependencies
            numbers = Array(repeating: nil, count: dependencies.count)
            lowest = Array(repeating: 0, count: dependencies.count)
            isOnStack = Array(repeating: false, count: dependencies.count)
        }

        mutating func visit(_ file: Int) {
            guard numbers[file] == nil else { return }
            let number = visited
            (numbers[file], lowest[file]) = (number, number)
            visited += 1
            stack.append(file)
            isOnStack[file] = true
            for other in dependencies[file] {
                if let number = numbers[other] {
                    if isOnStack[other] { lowest[file] = min(lowest[file], number) }
                } else {
                    visit(other)
                    lowest[file] = min(lowest[file], lowest[other])
                }
            }
            guard lowest[file] == number, let start = stack.lastIndex(of: file) else { return }
            let circle = Array(stack[start...])
            stack.removeSubrange(start...)
            for member in circle { isOnStack[member] = false }
            if circle.count > 1 { circles.append(circle) }
        }
    }
}

extension SourceFile {
    /// The types that other files of the target can name, at file level and nested.
    var declaredTypes: Set<Substring> { Set(declarations.filter { !$0.isPrivate }.map(\.name)) }

    /// All declared types, including private ones.
    var allDeclaredTypes: Set<Substring> { Set(declarations.map(\.name)) }

    /// The declared types. Only modifiers and attributes may stand before the keyword, so a line of SQL such as `ELSE
    /// class END` declares nothing.
    private var declarations: [(name: Substring, isPrivate: Bool)] {
        let declaration =
            #/^((?:\s|[a-z]+\b|@\w+(?:\([^)]*\))?|\([a-z]+\))*?)\b(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)/#
        return code.compactMap { line in
            line.firstMatch(of: declaration).map { ($0.2, $0.1.contains("private")) }
        }
    }

    /// Each word of the code that can be the name of a type. Words in strings do not count.
    var namedTypes: Set<Substring> {
        var names: Set<Substring> = []
        for line in code {
            let bytes = line.utf8
            var (at, isInString) = (bytes.startIndex, false)
            while at < bytes.endIndex {
                let byte = bytes[at]
                if byte == UInt8(ascii: "\\"), isInString { at = bytes.index(after: at) }
                if byte == UInt8(ascii: "\"") { isInString.toggle() }
                guard at < bytes.endIndex, Self.isWord(byte) else {
                    if at < bytes.endIndex { at = bytes.index(after: at) }
                    continue
                }
                let end = bytes[at...].firstIndex { !Self.isWord($0) } ?? bytes.endIndex
                if !isInString, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte { names.insert(line[at..<end]) }
                at = end
            }
        }
        return names
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}
