import Foundation
import LocalStore
import ParseModel
import Testing

@testable import Gateway

struct DemoSeedTests {
    @Test func theDemoHasTwelveObjectsOfEachClass() {
        #expect(DemoSeed.classes.map(\.name) == ["Holiday", "Birthday"])
        for (name, objects) in DemoSeed.classes {
            #expect(objects.count == 12, "\(name)")
            #expect(Set(objects.compactMap { $0.fields["name"]?.string }).count == 12, "\(name)")
        }
    }

    @Test func everyFieldOfTheDemoHasAValue() {
        for object in DemoSeed.holidays.map(\.fields) {
            #expect(object.keys == ["name", "date", "details", "wikipediaLink", "observedBy"])
            #expect(object["observedBy"]?.array?.isEmpty == false)
        }
        for object in DemoSeed.birthdays.map(\.fields) {
            #expect(object.keys == ["name", "date", "giftIdeas", "facebook"])
        }
        for value in DemoSeed.classes.flatMap(\.objects).flatMap({ $0.fields.map(\.value) }) {
            #expect(value.string != "")
        }
    }

    /// The directory of the demo's pictures, which are installed with the program.
    private static let pictures = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "web/demo").path

    @Test func everyObjectOfTheDemoHasItsOwnPicture() throws {
        let objects = DemoSeed.classes.flatMap(\.objects)
        var contents: Set<Data> = []
        for object in objects {
            let png = try #require(DemoSeed.picture(object.picture, in: Self.pictures), "\(object.picture)")
            // The file begins with the PNG signature.
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            contents.insert(png)
        }
        #expect(contents.count == objects.count)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: Self.pictures).count { $0.hasSuffix(".png") }
                == objects.count)
        #expect(DemoSeed.picture("none", in: Self.pictures) == nil)
    }

    @Test func seededObjectsContainTheirPictures() async throws {
        let directory = try TemporaryDirectory()
        let configuration = GatewayConfiguration(dataDirectory: directory.path)
        try await DemoSeed.fill(configuration, stores: LocalStoreKind(), pictures: Self.pictures, logger: .quiet)
        let hub = try Hub(directory, clock: TestClock())
        let client = FileClient(api: hub.api)
        let found = try await client.json(.get, "/classes/Birthday")["results"]?.array ?? []
        #expect(found.count == 12)
        for object in found {
            let answer = await client.get(object.object?["image"])
            #expect(answer.headers[.contentType] == "image/png")
            #expect(answer.wholeBody.count > 500)
        }
    }

    @Test func objectsAreSeededEvenWithoutPictures() async throws {
        let directory = try TemporaryDirectory()
        let configuration = GatewayConfiguration(dataDirectory: directory.path)
        try await DemoSeed.fill(configuration, stores: LocalStoreKind(), pictures: nil, logger: .quiet)
        let hub = try Hub(directory, clock: TestClock())
        let found = try await FileClient(api: hub.api).json(.get, "/classes/Holiday")["results"]?.array ?? []
        #expect(found.count == 12)
        #expect(found.allSatisfy { $0.object?["image"] == nil })
    }

    @Test func datesOfTheDemoAreDaysInUTC() throws {
        for object in DemoSeed.classes.flatMap(\.objects).map(\.fields) {
            let date = try #require(object["date"]?.object)
            let iso = try #require(date["iso"]?.string)
            #expect(date["__type"] == "Date")
            #expect(ParseDate(iso: iso)?.iso == iso)
            #expect(iso.hasPrefix("2027-") && iso.hasSuffix("T00:00:00.000Z"))
        }
    }
}
