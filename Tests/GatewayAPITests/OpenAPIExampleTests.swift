import Foundation
import Testing
import Yams

/// Checks that every operation of `openapi.yaml` has examples, and that every example is valid by its schema.
@Suite struct OpenAPIExampleTests {
    private typealias Map = SchemaCheck.Map
    private let check: SchemaCheck

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../openapi.yaml").standardizedFileURL
        check = SchemaCheck(root: try #require(try Yams.load(yaml: String(contentsOf: file, encoding: .utf8)) as? Map))
    }

    /// The operations by `operationId`.
    private var operations: [String: Map] {
        var operations: [String: Map] = [:]
        for item in (check.root["paths"] as? [String: Map] ?? [:]).values {
            for case let operation as Map in item.values {
                guard let name = operation["operationId"] as? String else { continue }
                operations[name] = operation
            }
        }
        return operations
    }

    /// The contents of a request body or a response, by media type.
    private func contents(of part: Any?) -> [String: Map] {
        (part as? Map).map(check.resolved)?["content"] as? [String: Map] ?? [:]
    }

    /// The contents of the responses of an operation, with their statuses.
    private func answers(of operation: Map) -> [(status: String, content: Map)] {
        (operation["responses"] as? [String: Map] ?? [:]).flatMap { status, response in
            contents(of: response).values.map { (status, $0) }
        }
    }

    @Test func everyOpenAPIRequestBodyHasAnExample() {
        var bodies = 0
        for (name, operation) in operations {
            for (media, content) in contents(of: operation["requestBody"]) {
                bodies += 1
                #expect(content["example"] != nil, "\(name): \(media)")
            }
        }
        #expect(bodies > 30)
    }

    @Test func everyOpenAPIOperationHasAResponseExample() {
        #expect(operations.count > 80)
        // A redirection has no body.
        for (name, operation) in operations where (operation["responses"] as? Map)?["302"] == nil {
            let shown = answers(of: operation).filter { $0.content["example"] != nil }
            #expect(shown.contains { $0.status.hasPrefix("2") }, "\(name)")
        }
    }

    @Test func everyOpenAPIErrorResponseHasAnExample() {
        for (name, operation) in operations {
            for (status, response) in operation["responses"] as? [String: Map] ?? [:] where status >= "400" {
                guard status != "default", let content = contents(of: response)["application/json"] else { continue }
                #expect(content["example"] != nil, "\(name) \(status)")
            }
        }
    }

    @Test func everyOpenAPIExampleMatchesItsSchema() {
        var examples = 0
        for (name, operation) in operations {
            let requests = contents(of: operation["requestBody"]).values.map { ("request", $0) }
            for (part, content) in requests + answers(of: operation) {
                guard let example = content["example"] else { continue }
                examples += 1
                let violations = check.violations(of: example, by: content["schema"] as? Map ?? [:])
                #expect(violations.isEmpty, "\(name) \(part): \(violations)")
            }
        }
        #expect(examples > 500)
    }

    @Test func exampleThatViolatesItsSchemaIsDetected() {
        let change: Map = ["$ref": "#/components/schemas/Change"]
        let valid: Map = ["number": 1, "className": "Holiday", "objectId": "xO5TCC3Ntj", "kind": "create"]
        #expect(check.violations(of: valid, by: change).isEmpty)
        let wrong: Map = ["kind": "rename", "number": "1", "object": ["objectId": "xO5TCC3Ntj"]]
        for (member, value) in wrong {
            #expect(!check.violations(of: valid.merging([member: value]) { $1 }, by: change).isEmpty, "\(member)")
        }
        #expect(!check.violations(of: valid.filter { $0.key != "kind" }, by: change).isEmpty)
        #expect(!check.violations(of: "2026-11-21", by: ["type": "string", "format": "date-time"]).isEmpty)
        #expect(!check.violations(of: valid, by: ["unknownKeyword": 1]).isEmpty)
    }
}
