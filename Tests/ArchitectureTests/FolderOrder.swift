/// Checks the order of the folders of one target: a file may name types of its own folder and of lower folders only.
///
/// Only types that a single file declares are compared, and only with files that do not declare the same name themselves.
struct FolderOrder {
    private let target: String
    /// The names of the folders, the lowest first. `"."` stands for the files that are in no folder.
    private let folders: [String]
    private let files: [SourceFile]

    init(_ target: String, _ folders: [String], _ sources: [SourceFile]) {
        (self.target, self.folders) = (target, folders)
        files = sources.filter { $0.target == target }
    }

    /// A line for each type of a higher folder that a file names, and for each folder that has no place in the order.
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
