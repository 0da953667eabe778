/// The paths that a route matches.
struct RoutePattern: Sendable {
    private enum Segment: Sendable, Hashable {
        case literal(String)
        /// One arbitrary segment.
        case parameter
        /// One or more segments at the end of a path.
        case rest
    }

    /// The pattern in the form of `openapi.yaml`, for example `/classes/{className}/{objectId}`.
    let text: String
    private let segments: [Segment]

    /// - Parameter takesRest: true if the last parameter matches one or more segments, false if it matches one.
    init(_ text: String, takesRest: Bool = false) {
        self.text = text
        var segments = text.split(separator: "/").map { part in
            part.hasPrefix("{") ? Segment.parameter : .literal(String(part))
        }
        if takesRest { segments[segments.count - 1] = .rest }
        self.segments = segments
    }

    /// The values of the pattern's parameters; nil if the path does not match.
    func parameters(in path: [String]) -> [String]? {
        let fits = segments.last == .rest ? segments.count <= path.count : segments.count == path.count
        guard fits else { return nil }
        var parameters: [String] = []
        for (i, segment) in segments.enumerated() {
            switch segment {
            case .literal(let text):
                guard text == path[i] else { return nil }
            case .parameter: parameters.append(path[i])
            case .rest: parameters.append(contentsOf: path[i...])
            }
        }
        return parameters
    }
}
