/// The folders of one target as walls: a file may name types of its own folder and of lower ones.
///
/// Only types that a single file declares are compared, and only with files that do not declare the same name themselves.
struct FolderOrder {
    private let target: String
    /// From the bottom to the top. A file beside the folders belongs to `"."`.
    private let folders: [String]
    private let files: [SourceFile]

    init(_ target: String, _ folders: [String], _ sources: [SourceFile]) {
        (self.target, self.folders) = (target, folders)
        files = sources.filter { $0.target == target }
    }

    /// A line for each name of a higher folder, and for each folder that is not in the order.
    var violations: [String] {
        var declaring: [Substring: Set<String>] = [:]
        for file in files { for type in file.declaredTypes { declaring[type, default: []].insert(file.path) } }
        return files.flatMap { file -> [String] in
            guard let own = level(of: file.path) else { return ["\(file.path): its folder has no place in the order"] }
            let names = file.namedTypes.subtracting(file.allDeclaredTypes)
            return names.compactMap { name -> String? in
                guard let places = declaring[name], places.count == 1, let place = places.first,
                    let other = level(of: place), other > own
                else { return nil }
                return "\(file.path): names \(name) of the higher folder \(folders[other])"
            }.sorted()
        }
    }

    private func level(of path: String) -> Int? {
        let parts = path.split(separator: "/")
        let folder = parts.count > 3 ? String(parts[2]) : "."
        return folders.firstIndex(of: folder)
    }
}
