import Foundation

/// Rules for the sources. Each rule returns a line for each violation: `path:line: violation`.
struct Rules {
    /// The maximum number of lines of a file.
    static let lineMax = 400
    /// The maximum number of files that name each other in a circle.
    static let circleMax = 8
    /// The maximum number of files of a type in a target.
    static let typeFilesMax = 4
    /// The maximum number of lines of a function.
    static let functionLinesMax = 60
    /// The only file that asks the system for time and randomness.
    static let liveEnvironment = "Sources/Gateway/Environment+Live.swift"
    /// The simulation is not part of the product, but it must keep the same rules.
    static let simulation = ["Tests/Simulation", "Tests/SimulationProgram"]
    static let sockets = ["Sources/HTTPServer/", "Sources/HTTPClient/"]
    /// The files and directories that may use pointers: they call C, or read JSON from bytes.
    static let pointerPlaces =
        sockets + [
            "Sources/WebSocketFrames/", "Sources/ThumbnailProgram/",
            "Sources/ParseModel/JSON/", "Sources/RemoteService/Offers/RemoteFileService.swift",
            "Sources/LocalStore/SQLite/", "Sources/StoreService/Files/ContentDigest.swift",
            "Sources/StoreService/Files/FileDraft.swift", "Sources/GatewayAPI/Files/FileUploadSink.swift",
            "Sources/Gateway/Files/FileFetcher.swift",
        ]

    /// The code that reads the answers of a remote.
    static let remoteSides = [
        "Sources/ParseRemote/", "Sources/DatasyncRemote/", "Sources/RemoteHTTP/", "Sources/RemoteService/",
        "Sources/SyncEngine/", "Sources/SyncModel/", "Sources/GatewayAPI/Forwarding/", "Sources/Gateway/Forwarding/",
    ]
    /// The only file that may decide by an error text of a remote. It reads the limits that such texts name.
    static let limitTexts = "Sources/ParseRemote/NamedLimits.swift"
    /// The places that know which version of Parse Server a gateway follows. All other files know only the settings
    /// that depend on the version.
    static let versionPlaces = [
        "Sources/Gateway/Configuration/", "Sources/Gateway/Loading/",
        "Sources/Gateway/GatewayConfiguration+Parts.swift",
    ]

    let sources: [SourceFile]
    let tests: [SourceFile]
    /// The directories of the checked targets: those in `Sources`, and those of the simulation.
    let targets: [String]

    /// - Parameter root: the directory of `Package.swift`.
    init(root: URL) throws {
        let simulation = try Self.simulation.flatMap { try SourceFile.all(below: $0, root: root) }
        sources = try SourceFile.all(below: "Sources", root: root) + simulation
        tests = try SourceFile.all(below: "Tests", root: root).filter { test in
            !Self.simulation.contains { test.path.hasPrefix($0 + "/") }
        }
        targets =
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
            .filter { !$0.hasPrefix(".") }.sorted() + Self.simulation.map { String($0.dropFirst("Tests/".count)) }
    }

    /// The targets without a level in `Layers`. The imports of such a target would not be checked.
    func unknownTargets() -> [String] {
        targets.filter { Layers.level(of: $0) == nil }.map { "Sources/\($0): is in no layer" }
    }

    func imports() -> [String] {
        sources.flatMap { file in
            file.imports.compactMap { module, line in
                guard module != file.target, let own = Layers.level(of: file.target),
                    let other = Layers.level(of: module)
                else { return nil }
                if other >= own {
                    return "\(file.path):\(line): \(file.target) (level \(own)) imports \(module) (level \(other))"
                }
                if Layers.remotes.contains(module), !Layers.remoteMakers.contains(file.path) {
                    return "\(file.path):\(line): only the factory may know \(module)"
                }
                guard Layers.forbidden[file.target]?.contains(module) == true else { return nil }
                return "\(file.path):\(line): \(file.target) must not know \(module)"
            }
        }
    }

    func rawPointers() -> [String] {
        let elsewhere = sources.filter { file in !Self.pointerPlaces.contains { file.path.hasPrefix($0) } }
        return occurrences(of: /\b(?:Unsafe\w*Pointer|OpaquePointer)\b/, in: elsewhere)
    }

    func versionsOfParseServer() -> [String] {
        let elsewhere = sources.filter { file in !Self.versionPlaces.contains { file.path.hasPrefix($0) } }
        return occurrences(of: /Compatibility|\.compatibility/, in: elsewhere)
    }

    func crashes() -> [String] { occurrences(of: /\btry!|\bfatalError\(/, in: sources) }

    func clocksAndRandomness() -> [String] {
        let elsewhere = sources.filter { $0.path != Self.liveEnvironment }
        let calls =
            #/
            \bDate\(\) | \bDate\.now\b | \b(?:Continuous|Suspending)Clock\b
            | \bSystemRandomNumberGenerator\b | \bUUID\(\) | \bTask\.sleep\b
            /#
        return occurrences(of: calls, in: elsewhere)
    }

    /// The calls that read JSON without a limit of nesting. Each level takes stack, so each reader needs a limit.
    func unboundedDepths() -> [String] { occurrences(of: /depthMax: \.max|depthMax: Int\.max/, in: sources) }

    /// The lines that decide by the text of an error. A remote may hide its error texts, or change them in any
    /// version.
    func decisionsByText() -> [String] {
        let files = sources.filter { file in
            file.path != Self.limitTexts && Self.remoteSides.contains { file.path.hasPrefix($0) }
        }
        let decisions =
            #/
            \b(?:message|reason|error|text)\b[?!]?\.(?:contains|has(?:Prefix|Suffix)|split|first(?:Match|Range)|lowercased)\b
            | \b(?:message|reason|error|text)\b[?!]?\s*[=!]=\s*"
            | \["(?:error|message)"\]\??\.string\s*[=!]=\s*"
            | \["(?:error|message)"\]\??\.string[?!]?\.(?:contains|has(?:Prefix|Suffix)|split|first(?:Match|Range)|lowercased)\b
            /#
        // By default, a regular expression takes `a.b` for one word.
        return occurrences(of: decisions.wordBoundaryKind(.simple), in: files)
    }

    func longFiles() -> [String] {
        (sources + tests).filter { $0.lineCount > Self.lineMax }.map { "\($0.path): \($0.lineCount) lines" }
    }

    func largeCircles() -> [String] {
        Dictionary(grouping: sources, by: \.target).sorted { $0.key < $1.key }.flatMap { target, files in
            FileCircles(files).circles.filter { $0.count > Self.circleMax }.map {
                "\(target): a circle of \($0.count) files: \($0.joined(separator: " "))"
            }
        }
    }

    /// The lines that name a type of a higher folder.
    func higherFolderNames() -> [String] {
        Layers.folders.sorted { $0.key < $1.key }.flatMap { FolderOrder($0.key, $0.value, sources).violations }
    }

    /// The types whose declaration and extensions are in too many files of a target.
    func scatteredTypes() -> [String] {
        TypeFiles(sources).paths.sorted { $0.key < $1.key }.flatMap { target, types in
            types.filter { $0.value.count > Self.typeFilesMax }
                .map { "\(target): \($0) lies in \($1.count) files: \($1.sorted().joined(separator: " "))" }.sorted()
        }
    }

    func longFunctions() -> [String] {
        FunctionLengths(sources).functions.filter { $0.lines > Self.functionLinesMax }
            .map { "\($0.place): a function of \($0.lines) lines" }
    }

    private func occurrences(of word: Regex<Substring>, in files: [SourceFile]) -> [String] {
        files.flatMap { file in
            file.code.enumerated().compactMap { index, line in
                line.firstMatch(of: word).map { "\(file.path):\(index + 1): \($0.0)" }
            }
        }
    }
}
