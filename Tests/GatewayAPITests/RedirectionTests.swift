import ParseModel
import Testing

/// Tests the parameter `redirectClassNameForKey`: the query reads the class to which a pointer or relation field
/// leads.
@Suite struct RedirectionTests {
    private let gateway = Gateway.make()

    init() {
        gateway.store.state.withLock {
            $0.schemas["Trip"] = ClassSchema(
                "Trip",
                added: [
                    "cities": SchemaField(.relation("City")), "by": SchemaField(.relation("_User")),
                    "first": SchemaField(.pointer("City")),
                    "config": SchemaField(.relation("_GlobalConfig")), "hooks": SchemaField(.relation("_Hooks")),
                ])
            $0.config = #"{"params":{"key":"s3cr3t"},"masterKeyOnly":{"key":true}}"#
            $0.objects["City"] = [("oslo", [:])]
        }
    }

    private func ask(_ conditions: String, _ more: String = "") async -> Answer {
        await gateway.send("POST /classes/Guide", body: #"{"_method":"GET","where":\#(conditions)\#(more)}"#)
    }

    @Test func redirectClassNameForKeyQueriesTheTargetClassFromTheSchema() async throws {
        let found = await gateway.send("GET /classes/Trip?redirectClassNameForKey=cities")
        #expect(try found.json.object?["results"]?.array?.first?.object?["className"] == "City")
    }

    @Test(arguments: [
        ("cities", "City"), ("first", "Trip"), ("nothing", "Trip"),
    ])
    func redirectClassNameForKeyAlsoRedirectsSubqueries(_ key: String, _ className: String) async throws {
        let query = #"{"className":"Trip","where":{"n":1},"redirectClassNameForKey":"\#(key)"}"#
        for conditions in [
            #"{"a":{"$inQuery":\#(query)}}"#, #"{"$or":[{"a":{"$notInQuery":\#(query)}}]}"#,
            #"{"a":{"$select":{"query":\#(query),"key":"m"}}}"#,
            #"{"a":{"$inQuery":{"className":"B","where":{"b":{"$dontSelect":{"query":\#(query),"key":"m"}}}}}}"#,
        ] {
            #expect(await ask(conditions).status == 200)
            let asked = try #require(gateway.store.state.withLock { $0.queries.last })
            let inner = try #require(asked.predicate.innermost)
            #expect(inner.className == className)
            #expect(try inner.predicate == .field(FieldPath("n"), .equal(1)))
        }
    }

    /// The schema may have such a field from an earlier version, which accepted relations to internal classes.
    @Test(arguments: [("config", "_GlobalConfig"), ("hooks", "_Hooks")])
    func redirectClassNameForKeyToAnInternalClassNeedsTheMasterKey(_ key: String, _ className: String) async {
        let refusal =
            #"{"code":119,"error":"Clients aren't allowed to perform the find operation on the \#(className) collection."}"#
        let path = "/classes/Trip?redirectClassNameForKey=\(key)"
        for parameters in ["", "&count=1", "&count=1&limit=0", "&keys=params", "&explain=true"] {
            expect(await gateway.send("GET \(path)\(parameters)"), 400, refusal)
        }
        expect(
            await gateway.send(
                "POST /classes/Trip", body: #"{"_method":"GET","redirectClassNameForKey":"\#(key)"}"#), 400, refusal)
        let batch = await gateway.send(
            "POST /batch", body: #"{"requests":[{"method":"GET","path":"\#(path)"}]}"#)
        #expect(batch.text.contains(#""code":119"#) && !batch.text.contains("s3cr3t"))
        let query = #"{"className":"Trip","where":{},"redirectClassNameForKey":"\#(key)"}"#
        expect(await ask(#"{"a":{"$inQuery":\#(query)}}"#), 400, refusal)
        let owner = #"{"$relatedTo":{"object":{"__type":"Pointer","className":"Trip","objectId":"x"},"key":"\#(key)"}}"#
        expect(
            await gateway.send(
                "POST /classes/Trip",
                body: #"{"_method":"GET","where":\#(owner),"redirectClassNameForKey":"\#(key)"}"#), 400, refusal)
    }

    @Test func redirectedSubqueryByAProtectedFieldIsRefused() async {
        let query = #"{"className":"Trip","where":{"email":"a@b.c"},"redirectClassNameForKey":"by"}"#
        expect(
            await ask(#"{"a":{"$inQuery":\#(query)}}"#), 400,
            #"{"code":119,"error":"This user is not allowed to query email on class _User"}"#)
    }
}

extension Predicate {
    /// The innermost of nested subqueries.
    fileprivate var innermost: Subquery? {
        switch self {
        case .and(let parts), .or(let parts), .nor(let parts): parts.lazy.compactMap(\.innermost).first
        case .field(_, .inQuery(let query)), .field(_, .notInQuery(let query)), .field(_, .select(let query, _)),
            .field(_, .dontSelect(let query, _)):
            query.predicate.innermost ?? query
        case .field, .relatedTo: nil
        }
    }
}
