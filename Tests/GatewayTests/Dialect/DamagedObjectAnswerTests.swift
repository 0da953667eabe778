import GRDB
import HTTPTypes
import ParseModel
import Testing

/// Tests how a standalone gateway answers requests about an object whose stored JSON is damaged and not yet reported.
@Suite("Answers about damaged objects")
struct DamagedObjectAnswerTests {
    private let client: LocalClient
    private let cities: [String]

    init() async throws {
        client = try LocalClient(.standalone)
        var cities: [String] = []
        for n in 0..<3 { cities.append(try await client.create("City", #"{"n":\#(n)}"#)) }
        for city in cities {
            _ = try await client.create(
                "Holiday", #"{"city":{"__type":"Pointer","className":"City","objectId":"\#(city)"}}"#)
        }
        self.cities = cities
        let damaged = cities[1]
        try await DatabaseQueue(path: client.directory.path + "/tidegate.sqlite").writeWithoutTransaction { db in
            try db.execute(
                sql: "UPDATE objects SET view = replace(view, '\"n\":', '\"n\"#') WHERE id = ?", arguments: [damaged])
        }
    }

    @Test func includeOmitsADamagedObject() async throws {
        for _ in 0..<2 {
            let answer = try await client.send("GET", "/classes/Holiday?include=city&order=createdAt")
            #expect(answer.status == 200)
            let shown = answer.json["results"]?.array?.map { $0.object?["city"]?.object?["n"] }
            #expect(shown == [0, nil, 2])
        }
    }

    @Test(arguments: ["", "keys=n", "where=%7B%22n%22:%7B%22$gte%22:0%7D%7D", "order=n", "_sync=true"])
    func listOmitsADamagedObject(query: String) async throws {
        let answer = try await client.send("GET", "/classes/City?" + query)
        #expect(answer.status == 200)
        #expect(answer.json["results"]?.array?.count == 2)
        let damaged = try #require(HTTPField.Name("X-Tidegate-Damaged"))
        #expect(answer.headers[damaged] == "1")
        #expect(try await client.send("GET", "/classes/Holiday").headers[damaged] == nil)
    }

    @Test func readAndUpdateOfADamagedObjectAreErrorsThatNameIt() async throws {
        for (method, body) in [("GET", ""), ("PUT", #"{"n":7}"#)] {
            let answer = try await client.send(method, "/classes/City/\(cities[1])", body)
            #expect(answer.status == 500)
            #expect(answer.json["code"] == 1)
            let text = try #require(answer.json["error"]?.string)
            #expect(text.contains("The object \(cities[1]) of City is damaged") && text.contains("delete it"))
        }
    }

    @Test func aDamagedObjectCanBeDeleted() async throws {
        let path = "/classes/City/\(cities[1])"
        #expect(try await client.send("DELETE", path).status == 200)
        #expect(try await client.send("GET", path).status == 404)
        #expect(try await client.send("GET", "/classes/City").json["results"]?.array?.count == 2)
        #expect(try await client.send("GET", "/classes/City?count=1&limit=0").json["count"] == 2)
    }
}
