import Foundation
import HTTPTypes
import ParseModel
import Testing

@testable import GatewayAPI

@Suite struct CredentialsTests {
    private func headers(_ fields: [String: String]) -> HTTPFields {
        var headers = HTTPFields()
        for (name, value) in fields { headers[HTTPField.Name(name)!] = value }
        return headers
    }

    private func basic(_ text: String) -> HTTPFields {
        [.authorization: "Basic " + Data(text.utf8).base64EncodedString()]
    }

    @Test func credentialsInSDKHeadersAreRead() throws {
        let credentials = try Credentials(
            headers([
                "X-Parse-Application-Id": "app", "X-Parse-Client-Key": "c", "X-Parse-Master-Key": "m",
                "X-Parse-Session-Token": "r:1", "X-Parse-Installation-Id": "i", "X-Parse-Client-Version": "i1.19.1",
                "X-Parse-Revocable-Session": "1", "X-Parse-Cloud-Context": #"{"a": 1}"#, "Accept": "*/*",
            ]))
        #expect(credentials.applicationId == "app")
        #expect(credentials.clientKeys.map(\.text) == ["c"])
        #expect(credentials.masterKey == "m")
        #expect(credentials.sessionToken == "r:1")
        #expect(credentials.installationId == "i")
        #expect(credentials.clientVersion == "i1.19.1")
        #expect(credentials.revocableSession == "1")
        #expect(credentials.context == #"{"a":1}"#)
        #expect(Set(credentials.keys) == ["c", "m"])
    }

    @Test(
        arguments: [
            ("app:secret", "app", "secret", []), ("app:javascript-key=k", "app", nil, ["k"]),
            ("app:master-key=m", "app", "master-key=m", []), ("app:", "app", nil, []), ("app", nil, nil, []),
            ("app:a:b", nil, nil, []),
        ] as [(String, String?, String?, [String])])
    func basicAuthenticationIsReadAsParseServerReadsIt(
        _ text: String, _ applicationId: String?, _ masterKey: String?, _ clientKeys: [String]
    ) throws {
        let credentials = try Credentials(basic(text))
        #expect(credentials.applicationId == applicationId)
        #expect(credentials.masterKey == masterKey)
        #expect(credentials.clientKeys.map(\.text) == clientKeys)
    }

    @Test func bearerTokenIsReadAsTheAccessKey() throws {
        #expect(try Credentials([.authorization: "bearer k"]).accessKeys == ["k"])
        #expect(try Credentials([.authorization: "Digest k"]).keys == [])
    }

    @Test func credentialsInHeadersTakePrecedenceOverTheBody() throws {
        var credentials = try Credentials(
            headers(["X-Parse-Application-Id": "app", "X-Parse-Session-Token": "r:1"]))
        let taken = try credentials.take(
            from: [
                "_ApplicationId": "other", "_SessionToken": "r:2", "_MasterKey": "m", "_noBody": true,
                "_method": "DELETE", "_ContentType": "text/plain", "_RevocableSession": 1, "_tag": "stays", "a": 1,
            ])
        #expect(taken.rest == ["_tag": "stays", "a": 1])
        #expect(taken.method == "DELETE")
        #expect(credentials.applicationId == "app")
        #expect(credentials.sessionToken == "r:1")
        #expect(credentials.masterKey == "m")
        #expect(credentials.revocableSession == "1")
    }

    @Test(arguments: ["[1]", "nope", "3"])
    func cloudContextThatIsNoJSONObjectIsRefused(_ context: String) async throws {
        let inHeader = await Gateway.make().send("GET /classes/Holiday", ["X-Parse-Cloud-Context": context])
        expect(inHeader, 400, #"{"code":107,"error":"Invalid object for context."}"#)
        let body = JSONObject([("_context", .string(context))]).jsonText
        #expect(await Gateway.make().send("POST /classes/Holiday", body: body).status == 400)
    }

    @Test func cloudContextInABodyMayBeATextOrAnObject() async throws {
        for context in [#""{\"a\":1}""#, #"{"a":1}"#] {
            var credentials = try Credentials([:])
            _ = try credentials.take(from: ["_context": JSONReader.read(context)])
            #expect(credentials.context == #"{"a":1}"#)
        }
    }

    @Test func aPostWithAMethodOverrideActsAsThatMethod() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        let headers = ["Content-Type": "text/plain"]
        func post(_ method: String, _ fields: String = "") async -> Answer {
            await gateway.send(
                "POST /classes/Holiday/a", headers,
                body: #"{"_method":"\#(method)","_ApplicationId":"app","_noBody":true\#(fields)}"#)
        }
        #expect(await post("PUT", #","n":1"#).status == 200)
        #expect(await post("GET").text.contains(#""n":1"#))
        #expect(await post("DELETE").status == 200)
        #expect(await post("GET").status == 404)
    }
}
