import ParseModel
import StoreService

/// Translates a request for the remote: replaces local ids of objects and local names of files by the remote's, in paths,
/// parameters and bodies.
struct CallNames: Sendable {
    let store: any ObjectStore
    /// The spaces of all users, if `store` is the space of one user in a personal replica; nil elsewhere.
    let spaces: (any UserSpaces)?

    /// The pointers in a request, and the texts in the request that look like an object id or a file name.
    static func things(in request: RoutedRequest) -> NamedThings {
        var things = NamedThings()
        for segment in request.path.segments.dropFirst() { things.note(segment) }
        if let pointer = request.objects?.pointer { things.pointers.insert(pointer) }
        collect(.object(request.parse.searchParameters), into: &things)
        if case .object(let body) = request.parse.body {
            collect(.object(body), into: &things)
            if request.parse.method != .get, concernsUsers(request) {
                things.accounts = Set([body["username"]?.string, body["email"]?.string].compactMap { $0 })
            }
        }
        return things
    }

    /// The object of a write, and the pointers and texts in its body.
    static func things(in write: WriteRequest) -> NamedThings {
        var things = NamedThings()
        if let objectId = write.objectId {
            things.pointers.insert(Pointer(className: write.className, objectId: objectId))
        }
        switch write {
        case .create(let className, let body, _), .update(let className, _, let body, _):
            collect(.object(body), into: &things)
            if className == "_User" {
                things.accounts = Set([body["username"]?.string, body["email"]?.string].compactMap { $0 })
            }
        case .delete: break
        }
        return things
    }

    private static func concernsUsers(_ request: RoutedRequest) -> Bool {
        let segments = request.path.segments
        return segments.first == "users" || segments.starts(with: ["classes", "_User"])
    }

    private static func collect(_ value: JSONValue, into things: inout NamedThings) {
        switch value {
        case .string(let text): things.note(text)
        case .array(let elements): for element in elements { collect(element, into: &things) }
        case .object(let object):
            if let pointer = Pointer(value) {
                things.pointers.insert(pointer)
            } else {
                for (_, member) in object { collect(member, into: &things) }
            }
        default: break
        }
    }

    /// The remote's ids of the objects that the request names, and the remote's names of the files.
    /// - Throws: errors of the store.
    func names(in request: RoutedRequest) throws -> RemoteNames {
        try store.remoteNames.remoteNames(of: Self.things(in: request))
    }

    /// The path segments of the request, with the remote's ids and file names in place of local ones.
    func path(of request: RoutedRequest, _ names: RemoteNames) -> [String] {
        let pointer = request.objects?.pointer
        let known = pointer.flatMap { names.pointers[$0] }
        return request.path.segments.enumerated().map { place, segment in
            // The first segment never names an object.
            if place == 0 { return segment }
            if let known, segment == pointer?.objectId { return known.objectId }
            return names.texts[segment] ?? segment
        }
    }

    /// A body, or the parameters of a request, with the remote's ids and file names in place of local ones.
    /// - Throws: `ParseError` 130 (file save error) for a file that is not on the remote yet. A forwarded request does not wait
    ///   for the upload.
    func translated(_ object: JSONObject, _ names: RemoteNames) throws -> JSONObject {
        try JSONObject(
            object.map { key, value in
                let known = try translated(value, names, isConditions: key == "where")
                // The URL of a file is left out. The remote adds its own, and may refuse a request with another URL.
                guard known != value, let file = FileReference(known) else { return (key, known) }
                return (key, file.withoutURL.json)
            })
    }

    private func translated(_ value: JSONValue, _ names: RemoteNames, isConditions: Bool) throws -> JSONValue {
        // `where` may be JSON text inside a string.
        if isConditions, let text = value.string, let conditions = try? JSONReader.read(text), conditions.object != nil
        {
            let known = try translated(conditions, names, isConditions: false)
            return known == conditions ? value : .string(known.jsonText)
        }
        return try value.replacing { part in
            if let pointer = Pointer(part) { return names.pointers[pointer]?.json ?? part }
            if let file = FileReference(part) { return try translated(file)?.json ?? part }
            return part.string.flatMap { names.texts[$0] }.map(JSONValue.string)
        }
    }

    private func translated(_ reference: FileReference) throws -> FileReference? {
        let own = try store.files.file(reference.name, as: .master)
        guard let file = try own ?? spaces?.unsentFile(reference.name)?.file else { return nil }
        guard let url = file.remoteURL else {
            throw ParseError(
                .fileSaveError,
                "The file \(FileName.given(file.name)) is not on the remote yet. It is uploaded with an object that "
                    + "contains it.")
        }
        let known = FileReference(name: file.name, url: url)
        return known == reference ? nil : known
    }

    /// The query of a URL with the remote's ids and file names in place of local ones.
    func translated(query: String?, _ names: RemoteNames) throws -> String? {
        guard let query, !names.isEmpty else { return query }
        let given = PercentCoding.parameters(ofQuery: Array(query.utf8))
        let known = try translated(given, names)
        guard known != given else { return query }
        return known.flatMap { name, value in
            // A parameter that occurs several times has several values.
            (value.array ?? [value]).map {
                PercentCoding.encoded(name) + "=" + PercentCoding.encoded($0.string ?? "")
            }
        }.joined(separator: "&")
    }
}

extension ObjectTarget {
    /// The object of the request; nil if the path names only a class.
    fileprivate var pointer: Pointer? { objectId.map { Pointer(className: className, objectId: $0) } }
}
