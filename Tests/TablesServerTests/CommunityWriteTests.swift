import HTTPTypes
import ParseModel
import TablesServer
import Testing

/// Writes in the Community dialect.
@Suite(.timeLimit(.minutes(5)))
struct CommunityWriteTests {
    @Test func theAnswerToACreateHasLocationAndETagHeaders() async throws {
        let server = try TablesServer.make(.community)
        let reply = try await TablesClient(server).send("POST /tables/Holiday", ["id": "a b", "name": "x"])
        #expect(reply.status == 201)
        #expect(reply.headers[.location] == "\(server.url)/tables/Holiday/a%20b")
        #expect(reply.headers[.eTag] == "\"\(reply["version"]?.string ?? "?")\"")
        #expect(reply.headers[.lastModified] == "Tue, 14 Nov 2023 22:13:21 GMT")
        #expect(reply["updatedAt"] == "2023-11-14T22:13:21.000Z")
        #expect(reply["createdAt"] == nil)
        #expect(reply["rank"] == .null)
    }

    @Test func aCreateWithoutAnIdGetsAGeneratedId() async throws {
        let server = try TablesServer.make(.community)
        let reply = try await TablesClient(server).send("POST /tables/Holiday", ["id": "", "name": "x"])
        #expect(reply["id"]?.string?.utf8.count == 36)
    }

    @Test func aCreateOfAnExistingIdAnswersWithTheServersRow() async throws {
        let server = try TablesServer.make(.community)
        server.put("Holiday", "a", ["name": "theirs"])
        let reply = try await TablesClient(server).send("POST /tables/Holiday", ["id": "a", "name": "mine"])
        #expect(reply.status == 409)
        #expect(reply["name"] == "theirs")
        #expect(reply.headers[.eTag] == server.row("Holiday", "a").map { "\"\($0.version)\"" })
    }

    @Test func invalidRowBodiesAreRefused() async throws {
        let server = try TablesServer.make(.community)
        let client = TablesClient(server)
        let untyped = try await client.send("POST /tables/Holiday", ["id": "a"], [(.contentType, "text/plain")])
        #expect(untyped.status == 415)
        #expect(try await client.send("POST /tables/Holiday", ["id": "a", "rank": "five"]).status == 400)
        #expect(try await client.send("POST /tables/Holiday", ["id": "a", "date": "tomorrow"]).status == 400)
        #expect(try await client.send("PUT /tables/Holiday/a", ["name": "no id"]).status == 400)
        #expect(try await client.send("PATCH /tables/Holiday/a", ["id": "a"]).status == 405)
        #expect(server.live("Holiday").isEmpty)
    }

    @Test func aPutReplacesTheWholeRow() async throws {
        let server = try TablesServer.make(.community)
        server.put("Holiday", "a", ["name": "x", "rank": 1])
        let reply = try await TablesClient(server).send(
            "PUT /tables/Holiday/a", ["id": "a", "rank": 2, "version": "ignored", "unknown": 1])
        #expect(reply.status == 200)
        #expect(server.row("Holiday", "a")?.fields == ["rank": 2])
        #expect(try await TablesClient(server).send("PUT /tables/Holiday/b", ["id": "b"]).status == 404)
    }

    @Test func onlyAStrongETagIsAcceptedInIfMatch() async throws {
        let server = try TablesServer.make(.community)
        server.put("Holiday", "a", ["name": "x"])
        let version = try #require(server.row("Holiday", "a")).version
        let client = TablesClient(server)
        func put(_ tag: String) async throws -> TablesReply {
            try await client.send("PUT /tables/Holiday/a", ["id": "a", "name": "y"], [(.ifMatch, tag)])
        }
        for stale in ["\"AAAAAAAAAAA=\"", "W/\"\(version)\"", version] {
            let reply = try await put(stale)
            #expect(reply.status == 412)
            #expect(reply["name"] == "x")
            #expect(reply.headers[.eTag] == "\"\(version)\"")
        }
        #expect(try await put("\"\(version)\"").status == 200)
        #expect(try await put("*").status == 200)
    }

    @Test func aTombstoneIsNotFoundUntilItIsUndeleted() async throws {
        let server = try TablesServer.make(.community)
        server.put("Holiday", "a", ["name": "x"])
        let client = TablesClient(server)
        #expect(try await client.send("DELETE /tables/Holiday/a").status == 204)
        #expect(try await client.send("DELETE /tables/Holiday/a").status == 410)
        #expect(try await client.send("GET /tables/Holiday/a").status == 410)
        #expect(try await client.send("PUT /tables/Holiday/a", ["id": "a", "deleted": false]).status == 410)
        #expect(try await client.send("GET /tables/Holiday/a?__includedeleted=true")["deleted"] == true)
        let revived = try await client.send(
            "PUT /tables/Holiday/a?__includedeleted=true", ["id": "a", "name": "y", "deleted": false])
        #expect(revived.status == 200)
        #expect(server.live("Holiday") == ["a": ["name": "y"]])
        #expect(try await client.send("PUT /tables/Holiday/a", ["id": "a", "deleted": true])["deleted"] == true)
    }

    @Test func aTableWithoutSoftDeleteKeepsNoTombstones() async throws {
        let server = try TablesServer.make(.community) { $0.keepsTombstones = false }
        server.put("Holiday", "a", ["name": "x"])
        let client = TablesClient(server)
        #expect(try await client.send("DELETE /tables/Holiday/a").status == 204)
        #expect(try await client.send("DELETE /tables/Holiday/a").status == 404)
        #expect(server.row("Holiday", "a") == nil)
    }
}
