import Foundation
import GatewayAPI
import Testing
import Yams

/// Checks that `openapi.yaml` and the route table describe the same routes.
@Suite struct OpenAPITests {
    private typealias Map = [String: Any]
    private let root: Map
    private let routes = Gateway.make().api.table.routes

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../openapi.yaml").standardizedFileURL
        root = try #require(try Yams.load(yaml: String(contentsOf: file, encoding: .utf8)) as? Map)
    }

    /// The operations by method and path (`GET /path`), each with the parameters that its path declares for all
    /// operations.
    private var operations: [String: (operation: Map, shared: [Map])] {
        var operations: [String: (Map, [Map])] = [:]
        for (path, item) in root["paths"] as? [String: Map] ?? [:] {
            for method in ["get", "post", "put", "delete", "patch", "head", "options"] {
                guard let operation = item[method] as? Map else { continue }
                operations["\(method.uppercased()) \(path)"] = (operation, item["parameters"] as? [Map] ?? [])
            }
        }
        return operations
    }

    private func resolved(_ map: Map) -> Map {
        guard let reference = map["$ref"] as? String else { return map }
        return reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] as? Map ?? [:] }
    }

    @Test func everyRouteIsAnOpenAPIOperationOfTheSameName() {
        let described = operations
        for route in routes {
            let operation = described["\(route.method.rawValue) \(route.pattern)"]?.operation
            #expect(operation?["operationId"] as? String == route.name, "\(route.method) \(route.pattern)")
        }
    }

    @Test func openAPISecurityNamesTheMasterKeyWhereARouteNeedsIt() {
        let described = operations
        for route in routes {
            let security = described["\(route.method.rawValue) \(route.pattern)"]?.operation["security"] as? [Map]
            let needsMasterKey = security?.map { Array($0.keys) } == [["masterKey"]]
            #expect(needsMasterKey == (route.policy.right == .masterKey), "\(route.name)")
        }
    }

    @Test func everyOpenAPIOperationHasARoute() {
        let routes = Set(self.routes.map { "\($0.method.rawValue) \($0.pattern)" })
        for name in operations.keys { #expect(routes.contains(name), "\(name) has no route") }
        let servers = (root["servers"] as? [Map] ?? []).compactMap { $0["url"] as? String }
        #expect(servers.map { $0 == "/" ? "" : $0 } == RoutePath.prefixes)
    }

    @Test func everyOpenAPIOperationDescribesItsParametersAndResponses() {
        for (name, (operation, shared)) in operations {
            #expect((operation["summary"] as? String)?.isEmpty == false, "\(name) has no summary")
            let responses = operation["responses"] as? [String: Map] ?? [:]
            #expect(responses.keys.contains { $0.hasPrefix("2") || $0 == "302" }, "\(name) never succeeds")
            #expect(responses["403"] != nil, "\(name) leaves out the checks of Host and Origin")
            for (status, response) in responses {
                #expect(resolved(response)["description"] is String, "\(name) \(status) has no description")
            }
            let inPath = shared.map(resolved).filter { $0["in"] as? String == "path" }.map { $0["name"] as? String }
            let inPattern = name.matches(of: /\{(\w+)\}/).map { String($0.output.1) }
            #expect(inPath == inPattern, "\(name)")
        }
    }

    @Test func everyOpenAPIReferenceHasATarget() {
        func check(_ value: Any) {
            if let map = value as? Map {
                if map["$ref"] is String { #expect(!resolved(map).isEmpty, "\(map["$ref"]!)") }
                for value in map.values { check(value) }
            } else if let list = value as? [Any] {
                for value in list { check(value) }
            }
        }
        check(root)
    }

    @Test func openRoutesHaveEmptySecurityInOpenAPI() throws {
        for (name, (operation, _)) in operations {
            let isOpen = [
                "GET /health", "GET /ready", "GET /", "GET /{file}", "GET /docs",
                "GET /files/{applicationId}/{fileName}",
                "GET /files/{applicationId}/metadata/{fileName}",
            ].contains(name)
            #expect(((operation["security"] as? [Map])?.map(\.count) == [0]) == isOpen, "\(name)")
        }
        let schemes = (root["components"] as? Map)?["securitySchemes"] as? [String: Map]
        #expect(schemes?["accessKey"]?["name"] as? String == "X-Tidegate-Access-Key")
        let general = (root["security"] as? [Map])?.flatMap(\.keys) ?? []
        for header in ["X-Parse-REST-API-Key", "X-Parse-Javascript-Key", "X-Parse-Client-Key", "X-Parse-Windows-Key"] {
            let named = try #require(schemes?.first { $0.value["name"] as? String == header }, "\(header)")
            #expect(general.contains(named.key))
        }
    }
}
