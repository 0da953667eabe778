import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import Testing

@testable import Gateway

/// Tests requests about relations to a standalone gateway and to a replica that is offline.
@Suite("Requests about relations")
struct RelationRequestsTests {
    static let modes: [APIConfiguration.Mode] = [.standalone, .replica]

    @Test(arguments: modes) func membersOfARelationAreAddedFoundAndRemoved(mode: APIConfiguration.Mode) async throws {
        let client = try LocalClient(mode)
        let norway = try await client.create("Country", #"{"name":"Norway"}"#)
        let oman = try await client.create("Country", #"{"name":"Oman"}"#)
        let holiday = try await client.create(
            "Holiday", #"{"name":"Christmas","countries":\#(client.operation("AddRelation", norway))}"#)
        let object = try await client.send("GET", "/classes/Holiday/\(holiday)").json
        #expect(object["countries"] == ["__type": "Relation", "className": "Country"])
        #expect(try await client.members(of: holiday) == ["Norway"])

        let added = try await client.send(
            "PUT", "/classes/Holiday/\(holiday)", #"{"countries":\#(client.operation("AddRelation", oman))}"#)
        #expect((added.status, added.json.map(\.key)) == (200, ["updatedAt"]))
        #expect(try await client.members(of: holiday, "&order=-name") == ["Oman", "Norway"])
        #expect(try await client.members(of: holiday, "&order=-name&limit=1") == ["Oman"])

        try await client.send(
            "PUT", "/classes/Holiday/\(holiday)", #"{"countries":\#(client.operation("RemoveRelation", norway))}"#)
        #expect(try await client.members(of: holiday) == ["Oman"])
        try await client.send("DELETE", "/classes/Country/\(oman)")
        #expect(try await client.members(of: holiday).isEmpty)
    }

    @Test(arguments: modes) func aBatchMayChangeRelations(mode: APIConfiguration.Mode) async throws {
        let client = try LocalClient(mode)
        let norway = try await client.create("Country", #"{"name":"Norway"}"#)
        let oman = try await client.create("Country", #"{"name":"Oman"}"#)
        let holiday = try await client.create("Holiday", #"{"countries":\#(client.operation("AddRelation", norway))}"#)
        let both = """
            {"__op":"Batch","ops":[\(client.operation("AddRelation", oman)),\(client.operation("RemoveRelation", norway))]}
            """
        let answer = try await client.send(
            "POST", "/batch",
            """
            {"requests":[{"method":"PUT","path":"/classes/Holiday/\(holiday)","body":{"countries":\(both)}},
             {"method":"POST","path":"/classes/Holiday","body":{"countries":\(both)}}]}
            """)
        #expect(answer.status == 200)
        #expect(try await client.members(of: holiday) == ["Oman"])
        let owners = try await client.names(
            "/classes/Holiday", where: #"{"countries":\#(client.pointer("Country", oman))}"#, "objectId")
        #expect(owners.count == 2)
    }

    @Test(arguments: modes) func relationMembersAreCountedTogetherWithOtherConstraints(
        mode: APIConfiguration.Mode
    ) async throws {
        let client = try LocalClient(mode)
        var ids: [String] = []
        for name in ["Norway", "Oman", "Peru"] {
            ids.append(try await client.create("Country", #"{"name":"\#(name)"}"#))
        }
        let holiday = try await client.create(
            "Holiday", #"{"countries":\#(client.operation("AddRelation", ids[0], ids[1]))}"#)
        let related = #""$relatedTo":\#(client.related(holiday))"#
        let counted = try await client.query("/classes/Country", where: "{\(related)}", "&count=1&limit=0").json
        #expect((counted["count"], counted["results"]) == (2, []))
        #expect(
            try await client.names("/classes/Country", where: #"{\#(related),"name":{"$gt":"O"}}"#, "name") == ["Oman"])
    }

    @Test(arguments: modes) func invalidRelationRequestsAreRefused(mode: APIConfiguration.Mode) async throws {
        let client = try LocalClient(mode)
        let holiday = try await client.create(
            "Holiday", #"{"name":"x","countries":\#(client.operation("AddRelation", "a"))}"#)
        let mixed = """
            {"__op":"AddRelation","objects":[\(client.pointer("Country", "a")),\(client.pointer("City", "b"))]}
            """
        for (value, code) in [
            (mixed, 111), (#"{"__op":"AddRelation","objects":[\#(client.pointer("City", "b"))]}"#, 111), (#""x""#, 111),
            (#"{"__op":"Delete"}"#, 111), (#"{"__op":"AddRelation","objects":[]}"#, 107),
            (#"{"__op":"Batch","ops":[]}"#, 107),
        ] {
            let answer = try await client.send("PUT", "/classes/Holiday/\(holiday)", #"{"countries":\#(value)}"#)
            #expect((answer.status, answer.json["code"]) == (400, .int(code)), "\(value)")
        }
        for value in ["{}", #"{"object":\#(client.pointer("Holiday", holiday))}"#, #"{"object":1,"key":"countries"}"#] {
            let answer = try await client.query("/classes/Country", where: #"{"$relatedTo":\#(value)}"#)
            #expect((answer.status, answer.json["code"]) == (400, 102), "\(value)")
        }
    }
}
