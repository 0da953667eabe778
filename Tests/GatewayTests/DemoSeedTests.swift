import ParseModel
import Testing

@testable import Gateway

struct DemoSeedTests {
    @Test func thereIsADozenOfEach() {
        #expect(DemoSeed.classes.map(\.name) == ["Holiday", "Birthday"])
        for (name, objects) in DemoSeed.classes {
            #expect(objects.count == 12, "\(name)")
            #expect(Set(objects.compactMap { $0["name"]?.string }).count == 12, "\(name)")
        }
    }

    @Test func everyFieldIsFilled() {
        for object in DemoSeed.holidays {
            #expect(object.keys == ["name", "date", "details", "wikipediaLink", "observedBy"])
            #expect(object["observedBy"]?.array?.isEmpty == false)
        }
        for object in DemoSeed.birthdays { #expect(object.keys == ["name", "date", "giftIdeas", "facebook"]) }
        for value in DemoSeed.classes.flatMap(\.objects).flatMap({ $0.map(\.value) }) { #expect(value.string != "") }
    }

    @Test func everyObjectHasAPictureOfItsOwn() throws {
        for (name, objects) in DemoSeed.classes {
            var pictures: Set<[UInt8]> = []
            for index in objects.indices {
                let png = try #require(DemoSeed.picture(of: name, index)).png(side: 24)
                // The signature of PNG, and the header with the size.
                #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]))
                #expect(png[16..<24].elementsEqual([0, 0, 0, 24, 0, 0, 0, 24]))
                pictures.insert(png)
            }
            #expect(pictures.count == objects.count)
            #expect(DemoSeed.picture(of: name, objects.count) == nil)
        }
    }

    @Test func seededObjectsCarryTheirPictures() async throws {
        let directory = try TemporaryDirectory()
        let configuration = GatewayConfiguration(dataDirectory: directory.path)
        try await Gateway.seed(DemoSeed.classes, configuration: configuration, logger: .quiet)
        let hub = try Hub(directory, clock: TestClock())
        let client = FileClient(api: hub.api)
        for object in try await client.json(.get, "/classes/Birthday")["results"]?.array ?? [] {
            let answer = await client.get(object.object?["image"])
            #expect(answer.headers[.contentType] == "image/png")
            #expect(answer.wholeBody.count > 500)
        }
    }

    @Test func datesAreDaysInUTC() throws {
        for object in DemoSeed.classes.flatMap(\.objects) {
            let date = try #require(object["date"]?.object)
            let iso = try #require(date["iso"]?.string)
            #expect(date["__type"] == "Date")
            #expect(ParseDate(iso: iso)?.iso == iso)
            #expect(iso.hasPrefix("2027-") && iso.hasSuffix("T00:00:00.000Z"))
        }
    }
}
