import ArgumentParser
import Gateway
import ParseModel

/// The class and the id of an object on the command line: `Holiday/9vKXp2nQwR`.
struct ObjectName: ExpressibleByArgument {
    let className: String
    let objectId: String

    /// - Parameter argument: `Class/id`, or the path of the object in the API.
    init?(argument: String) {
        let path = argument.hasPrefix("/classes/") ? String(argument.dropFirst("/classes/".count)) : argument
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        (className, objectId) = (parts[0], parts[1])
    }

    var text: String { "\(className)/\(objectId)" }

    /// Performs a request about this object.
    /// - Parameter wayOut: the end of the line about a missing object; empty for none.
    /// - Throws: `ConfigurationError` if the gateway does not show the object; otherwise the error of the request.
    func call<Answer>(
        wayOut: String = "", _ request: (_ path: String) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await request(path)
        } catch let error as GatewayClientError {
            guard case .refused(_, Self.notFound, _) = error else { throw error }
            throw ConfigurationError("there is no object \(text), or it is not visible with these rights\(wayOut)")
        }
    }

    /// Parse's error code for a missing object.
    private static let notFound = 101

    /// The path of the object in the API.
    var path: String { "\(Self.path(of: className))/\(PercentCoding.encodedPathSegment(objectId))" }

    /// The path of a class in the API.
    static func path(of className: String) -> String { "/classes/" + PercentCoding.encodedPathSegment(className) }
}
