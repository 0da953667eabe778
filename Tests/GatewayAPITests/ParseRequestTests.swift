import HTTPServer
import HTTPTypes
import ParseModel
import Testing

@testable import GatewayAPI

@Suite struct ParseRequestTests {
    private func read(
        _ method: HTTPRequest.Method, query: String? = nil, headers: HTTPFields = [:], body: String = "",
        limits: RequestLimits = .init()
    ) throws -> ParseRequest {
        try ParseRequest(
            HTTPServerRequest(method: method, path: "/", query: query, headers: headers, body: Array(body.utf8)),
            limits: limits)
    }

    private func read(
        _ method: HTTPRequest.Method, headers: HTTPFields = [:], bytes: [UInt8]
    ) throws -> ParseRequest {
        try ParseRequest(HTTPServerRequest(method: method, path: "/", headers: headers, body: bytes), limits: .init())
    }

    @Test func theMembersOfAJavaScriptSDKBodyAreSeparated() throws {
        let request = try read(
            .post,
            body: """
                {"_method":"GET","_ApplicationId":"a","_JavaScriptKey":"k","_ClientVersion":"js5","_InstallationId":"i",
                "_SessionToken":"r:1","_context":{},"_noBody":true,"where":{"n":1},"limit":2}
                """)
        #expect(request.method == .get)
        #expect(request.parameters == ["where": ["n": 1], "limit": 2])
        #expect(request.body == .object(["where": ["n": 1], "limit": 2]))
        #expect(request.credentials.applicationId == "a")
        #expect(request.credentials.keys == ["k"])
        #expect(request.credentials.sessionToken == "r:1")
        #expect(request.credentials.installationId == "i")
        #expect(request.credentials.clientVersion == "js5")
        #expect(request.credentials.context == "{}")
    }

    @Test func methodOverrideIsHonouredInPostsOnly() throws {
        #expect(try read(.post, body: #"{"_method":"put","a":1}"#).method == .put)
        #expect(try read(.put, body: #"{"_method":"DELETE"}"#).method == .put)
        #expect(try read(.post, body: #"{"_method":"PATCH"}"#).method == nil)
        #expect(try read(.post, body: #"{"_method":7}"#).method == .post)
    }

    @Test func headIsTreatedAsGetAndPatchIsUnsupported() throws {
        #expect(try read(.head).method == .get)
        #expect(try read(.patch).method == nil)
        #expect(try read(.options).method == nil)
    }

    @Test func urlQueryIsDecodedAsAForm() throws {
        let request = try read(
            .get, query: "where=%7B%22a%22%3A+1%7D&order=-n%2Cname&x&y=%zz&a=1=2&a=3&%C3%BC=%E2%82%AC")
        #expect(
            request.parameters
                == [
                    "where": #"{"a": 1}"#, "order": "-n,name", "x": "", "y": "%zz", "a": ["1=2", "3"], "ü": "€",
                ])
    }

    @Test func repeatedURLParametersAreCombined() throws {
        let request = try read(.get, query: "keys=a&order=n&keys=b,c&_sync=false&_sync=true")
        #expect(try ParseQuery(parameters: request.searchParameters).keys == ["a", "b", "c"])
        #expect(request.parameters.flag("_sync"))
    }

    @Test func formEncodedBodiesAreRead() throws {
        let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded; charset=utf-8"]
        let form = try read(.post, headers: headers, body: "name=a+b&n=5&tag=x&tag=%C3%BC&_ApplicationId=app")
        #expect(form.body == .object(["name": "a b", "n": "5", "tag": ["x", "ü"]]))
        #expect(form.credentials.applicationId == "app")
        let query = try read(.post, headers: headers, body: "_method=GET&where=%7B%22n%22%3A1%7D&limit=3")
        #expect(query.method == .get)
        #expect(try ParseQuery(parameters: query.searchParameters).limit == 3)
        // curl sends JSON with the content type of a form if none is given.
        #expect(try read(.post, headers: headers, body: #" {"n":5}"#).body == .object(["n": 5]))
        #expect(throws: APIError.self) { try read(.post, body: "name=a") }
    }

    /// As on Parse Server, a JSON body may begin with a byte order mark.
    @Test func requestBodiesMayHaveAByteOrderMark() throws {
        let text = Array(#"{"name":"é🎄"}"#.utf8)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        for type in ["application/json", "text/plain; charset=utf-8", "application/x-www-form-urlencoded"] {
            #expect(try read(.post, headers: [.contentType: type], bytes: mark + text).body == .object(["name": "é🎄"]))
        }
        #expect(try read(.post, bytes: mark + Array("[]".utf8)).body == .array)
        #expect(throws: APIError.self) { try read(.post, bytes: mark + mark + text) }
        #expect(throws: APIError.self) { try read(.post, bytes: mark) }
    }

    @Test(arguments: [
        ("utf-16", false, true), ("utf-16", true, true), ("UTF-16", false, false), ("utf-16", true, false),
        ("utf-16le", false, false), ("\"utf-16le\"", false, true), ("utf-16be", true, false), ("utf-16be", true, true),
    ])
    func requestBodiesMayBeUTF16(charset: String, isBigEndian: Bool, hasMark: Bool) throws {
        let units = (hasMark ? [0xFEFF] : []) + Array(#"{"name":"é🎄"}"#.utf16)
        let bytes = units.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
        let headers: HTTPFields = [.contentType: "application/json; charset=\(charset)"]
        #expect(try read(.post, headers: headers, bytes: bytes).body == .object(["name": "é🎄"]))
        #expect(throws: APIError.self) { try read(.post, headers: headers, bytes: Array(bytes.dropLast(3))) }
    }

    @Test func numberOfFieldsInAFormBodyIsBounded() throws {
        let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let form = { (count: Int) in (0..<count).map { "f\($0)=1" }.joined(separator: "&") }
        #expect(throws: Never.self) { try read(.post, headers: headers, body: form(1000)) }
        #expect(throws: APIError.tooManyParameters) { try read(.post, headers: headers, body: form(1001)) }
    }

    @Test func urlQueryTakesPrecedenceOverTheBodyInGets() throws {
        let request = try read(.get, query: "limit=3", body: #"{"limit":2,"skip":1}"#)
        #expect(request.parameters == ["limit": "3", "skip": 1])
    }

    @Test func bodyOfAWriteIsNotReadAsParameters() throws {
        let request = try read(.put, query: "a=1", body: #"{"b":2}"#)
        #expect(request.parameters == ["a": "1"])
        #expect(try request.body.fields == ["b": 2])
    }

    @Test func emptyRequestBodyIsReadAsAnEmptyObject() throws { #expect(try read(.post).body.fields == [:]) }

    @Test func bodyThatIsNoJSONObjectIsRefusedWithTheTextOfParseServer() throws {
        #expect(throws: ParseError(.invalidFieldName, "Invalid field name: 0.")) {
            try read(.post, body: "[1,2]").body.fields
        }
        #expect(throws: ParseError(.invalidJSON, "The body must be a JSON object.")) {
            try read(.post, body: "3").body.fields
        }
    }

    @Test func urlQueryLengthAndBodyDepthAreBounded() throws {
        let limits = RequestLimits(queryBytesMax: 5, nestingMax: 2)
        #expect(throws: APIError.queryTooLong(bytesMax: 5)) { try read(.get, query: "a=1234", limits: limits) }
        #expect(try read(.get, query: "a=123", limits: limits).parameters == ["a": "123"])
        #expect(try read(.post, body: #"{"a":{}}"#, limits: limits).body.fields == ["a": [:]])
        #expect(throws: APIError.malformedBody(reason: "JSON is nested deeper than 2 levels")) {
            try read(.post, body: #"{"a":{"b":{}}}"#, limits: limits)
        }
    }

    @Test func compressedRequestBodyIsRefused() {
        #expect(throws: APIError.encodedBody) { try read(.post, headers: [.contentEncoding: "gzip"], body: "x") }
    }
}

@Suite struct RoutePathTests {
    @Test(arguments: [
        ("/classes/Holiday", "", ["classes", "Holiday"]),
        ("/parse/classes/Holiday/", "/parse", ["classes", "Holiday"]),
        ("/1/batch", "/1", ["batch"]), ("/", "", []), ("/parse", "/parse", []), ("/parser", "", ["parser"]),
        ("/classes/a%2Fb%20c/%C3%BC", "", ["classes", "a/b c", "ü"]), ("/a+b", "", ["a+b"]),
        ("/a//b", "", ["a", "", "b"]),
    ])
    func urlPathIsSplitIntoPrefixAndSegments(_ path: String, _ prefix: String, _ segments: [String]) throws {
        let parsed = try RoutePath(path)
        #expect(parsed.prefix == prefix)
        #expect(parsed.segments == segments)
    }

    @Test(arguments: ["", "classes", "/a%2", "/a%zz", "/a%00b", "http://x/y"])
    func malformedPathsAreRefused(_ path: String) { #expect(throws: APIError.malformedPath) { try RoutePath(path) } }
}

@Suite struct RouteTableTests {
    private let table = Gateway.make().api.table

    @Test func noTwoRoutesShareANameOrAPath() {
        #expect(Set(table.routes.map(\.name)).count == table.routes.count)
        #expect(Set(table.routes.map { "\($0.method) \($0.pattern)" }).count == table.routes.count)
    }

    @Test func replicaAndStandaloneGatewayHaveTheSameRoutes() {
        #expect(Gateway.make(sync: FakeSync()).api.table.routes.map(\.name) == table.routes.map(\.name))
    }

    @Test func everyRouteIsFoundByAPathOfItsPattern() throws {
        for route in table.routes {
            let path = route.pattern.replacing("{", with: "").replacing("}", with: "")
            #expect(table.match(route.method, try RoutePath(path))?.route.name == route.name)
        }
    }
}
