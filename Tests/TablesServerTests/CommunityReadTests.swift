import HTTPTypes
import ParseModel
import TablesServer
import Testing

/// Reads and access in the Community dialect.
@Suite(.timeLimit(.minutes(5)))
struct CommunityReadTests {
    @Test func theNextLinkOfEachPageLeadsThroughAllPages() async throws {
        let server = try TablesServer.make(.community) { $0.pageSize = 2 }
        for id in ["c", "a", "e", "b", "d"] { server.put("Holiday", id, ["rank": 1]) }
        let client = TablesClient(server)
        var ids: [String] = []
        var query: String? = "$filter=rank%20eq%201&$orderby=rank&$count=true"
        while let next = query {
            let page = try await client.send("GET /tables/Holiday?\(next)")
            #expect(page["count"] == 5)
            ids += page.ids
            query = page["nextLink"]?.string
        }
        #expect(ids == ["a", "b", "c", "d", "e"])
        let plain = try await client.send("GET /tables/Holiday?$top=1")
        #expect(plain["count"] == .null)
        #expect(plain["nextLink"] == .null)
        #expect(plain.ids == ["a"])
    }

    @Test(arguments: [
        ("name ne 'x'", ["b", "c"]), ("date eq null", ["c"]), ("null ne date", ["a", "b"]),
        ("contains(name,'ol')", ["b"]), ("startswith(name,'X')", []), ("name in ('x','Solstice')", ["a", "b"]),
        ("date ge cast(2012-06-21T00:00:00.000Z,Edm.DateTimeOffset)", ["b"]),
        ("date lt 2012-06-21T02:00:00%2B02:00", ["a"]), ("rank mod 2 eq 0", ["b"]), ("not (rank eq 1)", ["b", "c"]),
        ("year(date) eq 2012 and length(name) gt 1", ["b"]),
    ])
    func filtersHaveTheSyntaxOfOData4(filter: String, ids: [String]) async throws {
        let server = try TablesServer.make(.community)
        server.put("Holiday", "a", ["name": "x", "rank": 1, "date": "2012-01-01T00:00:00.000Z"])
        server.put("Holiday", "b", ["name": "Solstice", "rank": 2, "date": "2012-06-21T00:00:00.000Z"])
        server.put("Holiday", "c", [:])
        let text = filter.replacing(" ", with: "%20")
        #expect(try await TablesClient(server).send("GET /tables/Holiday?$filter=\(text)").ids == ids)
    }

    @Test(arguments: [
        "$filter=colour%20eq%201", "$orderby=colour", "$select=colour", "$top=-1", "$top=x", "$top=128001", "$skip=-1",
        "$filter=date%20ge%20datetimeoffset'2012-06-21T00:00:00Z'", "$filter=substringof('a',name)",
        "$filter=createdAt%20eq%20null",
    ])
    func invalidListOptionsAreRefused(query: String) async throws {
        let server = try TablesServer.make(.community)
        let reply = try await TablesClient(server).send("GET /tables/Holiday?\(query)")
        #expect(reply.status == 400)
        #expect(reply.headers[.contentType]?.hasPrefix("text/plain") == true)
    }

    @Test func tombstonesAreListedOnRequest() async throws {
        let server = try TablesServer.make(.community)
        server.put("Holiday", "a", [:])
        server.delete("Holiday", "a")
        let client = TablesClient(server)
        #expect(try await client.send("GET /tables/Holiday").ids == [])
        #expect(try await client.send("GET /tables/Holiday?__IncludeDeleted=false").ids == [])
        #expect(try await client.send("GET /tables/Holiday?__IncludeDeleted=true").ids == ["a"])
    }

    @Test func anUnchangedRowIsAnsweredWith304() async throws {
        let server = try TablesServer.make(.community)
        server.put("Holiday", "a", [:])
        let client = TablesClient(server)
        let tag = try #require(try await client.send("GET /tables/Holiday/a").headers[.eTag])
        #expect(try await client.send("GET /tables/Holiday/a", nil, [(.ifNoneMatch, tag)]).status == 304)
        server.put("Holiday", "a", ["rank": 1])
        #expect(try await client.send("GET /tables/Holiday/a", nil, [(.ifNoneMatch, tag)]).status == 200)
    }

    @Test func rowsOfOtherUsersAreInvisible() async throws {
        let users = TablesServer.Users(tokens: ["t1": "alice", "t2": "bob"])
        let server = try TablesServer.make(.community, users: users) { $0.ownsRowsByUser = true }
        let client = TablesClient(server)
        let alice = [(HTTPField.Name.authorization, "Bearer t1")]
        let bob = [(HTTPField.Name("X-ZUMO-AUTH")!, "t2")]
        #expect(try await client.send("POST /tables/Holiday", ["id": "a"]).status == 401)
        #expect(try await client.send("POST /tables/Holiday", ["id": "a"], alice).status == 201)
        #expect(try await client.send("GET /tables/Holiday", nil, alice).ids == ["a"])
        #expect(try await client.send("GET /tables/Holiday", nil, bob).ids == [])
        #expect(try await client.send("GET /tables/Holiday/a", nil, bob).status == 404)
        #expect(try await client.send("POST /tables/Holiday", ["id": "a"], bob).status == 400)
    }

    @Test func aRefusedWriteHasTheConfiguredStatusOfItsTable() async throws {
        let server = try TablesServer.make(.community) { $0.isReadOnly = true }
        let client = TablesClient(server)
        #expect(try await client.send("POST /tables/Holiday", ["id": "a"]).status == 401)
        server.change("Holiday") { $0.refusalStatus = 403 }
        #expect(try await client.send("POST /tables/Holiday", ["id": "a"]).status == 403)
        server.change("Holiday") { $0.isHidden = true }
        #expect(try await client.send("GET /tables/Holiday").status == 404)
    }
}
