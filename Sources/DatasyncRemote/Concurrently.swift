import RemoteService

/// Runs asynchronous work for all elements of an array at the same time.
enum Concurrently {
    /// Calls `body` for all elements at the same time.
    /// - Returns: the results in the order of the elements.
    static func map<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async throws(RemoteError) -> Value
    ) async throws(RemoteError) -> [Value] {
        if elements.count == 1 { return [try await body(elements[0])] }
        let results = await withTaskGroup(of: (Int, Result<Value, RemoteError>).self) { group in
            for (place, element) in elements.enumerated() {
                group.addTask {
                    do throws(RemoteError) {
                        return (place, .success(try await body(element)))
                    } catch {
                        return (place, .failure(error))
                    }
                }
            }
            var results: [Int: Result<Value, RemoteError>] = [:]
            for await (place, result) in group { results[place] = result }
            return results
        }
        var values: [Value] = []
        for place in elements.indices {
            if let result = results[place] { values.append(try result.get()) }
        }
        return values
    }
}
