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
