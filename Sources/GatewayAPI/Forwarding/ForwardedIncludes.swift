import HTTPTypes
import ParseModel
import RemoteService
import StoreService

/// Answers reads whose `include` is over a limit of the remote (`includeDepth`, `includeCount` of a Parse Server). Reads the objects
/// without includes, and then the included objects, one level after the other.
struct ForwardedIncludes: Sendable {
    let remote: any RemoteCalls
    let store: any ObjectStore
    let bytesMax: Int

    /// The maximum number of objects that one request reads by their ids.
    private static let idsMax = 100
    /// The parameters that select included objects and fields. This gateway applies them, and does not send them to the
    /// remote.
    private static let own = ["include", "includeAll", "keys", "excludeKeys"]

    /// - Parameter send: forwards the request as it is.
    func answer(
        to request: RoutedRequest, _ call: RemoteCall, send: () async throws -> RemoteAnswer
    ) async throws -> RemoteAnswer {
        guard let selection = Self.selection(of: request, call) else { return try await send() }
        if selection.includes.exceeds(remote.limits) {
            if let answer = try await joined(request, call, selection) { return answer }
            return try await send()
        }
        let answer = try await send()
        guard answer.status == .badRequest, Self.code(of: answer) == ParseError.Code.invalidQuery.rawValue else {
            return answer
        }
        // If the remote also refuses the read without includes, the first refusal has another reason, and is the
        // answer.
        return try await joined(request, call, selection) ?? answer
    }

    /// The selection of a read of objects with includes; nil for any other request.
    private static func selection(of request: RoutedRequest, _ call: RemoteCall) -> FieldSelection? {
        guard request.parse.method == .get, request.objects != nil, !call.body.isEmpty,
            let parameters = try? JSONReader.read(call.body).object,
            let query = try? ParseQuery(parameters: parameters), !query.explains, !query.selection.includes.isEmpty
        else { return nil }
        return query.selection
    }

    private static func code(of answer: RemoteAnswer) -> Int? { try? JSONReader.read(answer.body).object?["code"]?.int }

    /// - Returns: nil if the remote refuses the read without includes, too.
    private func joined(
        _ request: RoutedRequest, _ call: RemoteCall, _ selection: FieldSelection
    ) async throws -> RemoteAnswer? {
        guard var parameters = try JSONReader.read(call.body).object else { return nil }
        parameters.removeAll(where: Self.own.contains)
        var plain = call
        plain.body = parameters.jsonBytes
        var answer = try await remote.call(plain)
        if Self.code(of: answer) == ParseError.Code.invalidQuery.rawValue { return nil }
        guard answer.status == .ok, var body = try JSONReader.read(answer.body).object else { return answer }
        let isList = body["results"] != nil
        let rows = isList ? (body["results"]?.array ?? []).compactMap(\.object) : [body]
        switch try await shown(rows, selection, request.principal, call) {
        case .failure(let refusal): return refusal
        case .success(let shown):
            if isList { body["results"] = .array(shown.map { .object($0) }) } else { body = shown.first ?? body }
            answer.body = body.jsonBytes
            return answer
        }
    }

    private struct Refusal: Error { let answer: RemoteAnswer }

    private enum Shown {
        case success([JSONObject])
        /// The remote refuses to show included objects, as it would have refused the whole read.
        case failure(RemoteAnswer)
    }

    /// The rows with their included objects. Each pass reads the objects that the previous pass did not find.
    private func shown(
        _ rows: [JSONObject], _ selection: FieldSelection, _ principal: Principal, _ call: RemoteCall
    ) async throws -> Shown {
        var known: [Pointer: StoredObject?] = [:]
        while true {
            var missed: Set<Pointer> = []
            let find = { (className: String, objectId: String) -> StoredObject? in
                let pointer = Pointer(className: className, objectId: objectId)
                if let object = known[pointer] { return object }
                missed.insert(pointer)
                return nil
            }
            let included = IncludedObjects(
                store: store, principal: principal, coverage: .everything, bytesMax: bytesMax,
                checkPulled: { _ in }, read: find)
            let shown = try rows.map { try included.shown($0, selection) }
            if missed.isEmpty { return .success(shown) }
            for (className, pointers) in Dictionary(grouping: missed, by: \.className).sorted(by: { $0.key < $1.key }) {
                let ids = pointers.map(\.objectId).sorted()
                for pointer in pointers { known[pointer] = .some(nil) }
                do {
                    for object in try await read(className, ids, call) {
                        known[Pointer(className: className, objectId: object.objectId)] = object
                    }
                } catch let refusal as Refusal {
                    return .failure(refusal.answer)
                }
            }
        }
    }

    /// Reads objects by their ids, with the rights of the call. A page may be shorter than requested, so the rest is requested again until a
    /// page is empty.
    private func read(_ className: String, _ ids: [String], _ call: RemoteCall) async throws -> [StoredObject] {
        var found: [StoredObject] = []
        for chunk in ids.chunks(of: Self.idsMax) {
            var open = Set(chunk)
            while !open.isEmpty {
                let parameters: JSONObject = [
                    "where": ["objectId": ["$in": .array(open.sorted().map { .string($0) })]],
                    "limit": .int(open.count), "_method": "GET",
                ]
                var part = call
                part.method = .post
                part.target = "/classes/" + PercentCoding.encodedPathSegment(className)
                part.body = parameters.jsonBytes
                part.form = .results
                let answer = try await remote.call(part)
                guard answer.status == .ok else { throw Refusal(answer: answer) }
                let rows = try (JSONReader.read(answer.body).object?["results"]?.array ?? []).compactMap(\.object)
                let before = open.count
                for row in rows {
                    guard let id = row["objectId"]?.string, open.remove(id) != nil else { continue }
                    found.append(StoredObject(objectId: id, json: row.jsonBytes, state: .synced))
                }
                if open.count == before { break }
            }
        }
        return found
    }
}

extension FieldSelection.Includes {
    /// Whether the remote has named a limit that these paths exceed.
    fileprivate func exceeds(_ limits: RemoteLimits.Values) -> Bool {
        limits.includeDepth.map { depth > $0 } == true || limits.includeCount.map { count > $0 } == true
    }

    private var depth: Int { (fields.values.map { $0.depth + 1 }.max()) ?? 0 }
    private var count: Int { fields.values.reduce(0) { $0 + $1.count + 1 } }
}
