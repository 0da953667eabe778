import Gateway
import ParseModel
import Testing

@testable import tidegate

struct ObjectInputTests {
    @Test func fieldsOfArgumentsAreTextsUnlessTheyAreMarkedAsJSON() throws {
        #expect(
            try ObjectInput.object(["name=12", "n:=12", "done:=true", "empty=", "formula=a=b", #"tags:=["a"]"#])
                == ["name": "12", "n": 12, "done": true, "empty": "", "formula": "a=b", "tags": ["a"]])
    }

    @Test func oneArgumentMayBeAJSONObject() throws {
        #expect(try ObjectInput.object([#"{"name":"a=b"}"#]) == ["name": "a=b"])
    }

    @Test(arguments: [
        [], ["name"], ["=a"], [":=1"], ["n:=x"], ["a=1", "a=2"], ["{}", "a=1"], ["{"], ["[1]"], ["@/nowhere/at/all"],
    ])
    func otherArgumentsAreRefused(arguments: [String]) {
        #expect(throws: ConfigurationError.self) { try ObjectInput.object(arguments) }
    }

    @Test(arguments: [
        ["get", "Task"], ["get", "Task/a/b"], ["list", "Task/a"], ["list", "Task", "--limit", "0"],
        ["list", "Task", "--all", "--limit", "3"], ["list", "Task", "--where", "done"], ["put", "Task"],
        ["put", "Task/", "a=1"], ["put", "Task", "a"], ["delete"], ["conflicts", "resolve", "1"],
        ["conflicts", "resolve", "1", "2", "--object", "{}"],
        ["list", "Task", "--url", "http://a", "--data", "b"],
        ["list", "Task", "--session-file", "a", "--master-key", "b"], ["open", "Task/"],
        ["list", "Task", "--url", "ftp://a"], ["import", "a.csv", "--type", "due=Datum"],
        ["import", "a.csv", "--rename", "a"],
    ])
    func aWrongCommandLineIsRefusedBeforeAnythingIsSent(arguments: [String]) {
        #expect(throws: (any Error).self) { try Tidegate.parseAsRoot(arguments) }
    }

    @Test func valuesOfParseTypesAreShownAsShortTexts() {
        let values: [(JSONValue, String)] = [
            (["__type": "Date", "iso": "2027-01-01T00:00:00.000Z"], "2027-01-01T00:00:00.000Z"),
            (["__type": "Pointer", "className": "Task", "objectId": "a"], "Task/a"),
            (["__type": "File", "name": "a.png", "url": "http://a"], "a.png"),
            (["__type": "GeoPoint", "latitude": 1.5, "longitude": -2], "1.5, -2"),
            (["__type": "Relation", "className": "Task"], "→ Task"), (["a": 1], #"{"a":1}"#), ([1, "a"], #"[1,"a"]"#),
            (true, "true"), (nil, "null"), ("text", "text"), (["__type": "Date"], #"{"__type":"Date"}"#),
        ]
        for (value, text) in values { #expect(ObjectText.text(of: value) == text) }
    }
}
