import ParseModel
import Testing

@testable import tidegate

struct TypedClassTests {
    @Test func typesOfFieldsAreFoundInObjects() {
        let type = TypedClass(
            "Task",
            of: [
                ["objectId": "a", "createdAt": "x", "updatedAt": "x", "n": 1, "both": "a", "none": nil],
                [
                    "objectId": "b", "createdAt": "x", "updatedAt": "x", "n": 2, "both": 2,
                    "p": ["__type": "Pointer", "className": "A", "objectId": "b"],
                ],
            ])
        let types = Dictionary(uniqueKeysWithValues: type.fields.map { ($0.name, $0.type) })
        #expect(
            types["n"] == .some(.number) && types["p"] == .some(.pointer("A")) && types["createdAt"] == .some(.date))
        #expect(types["both"] == .some(nil) && types["none"] == .some(nil))
        #expect(type.fields.filter(\.isRequired).map(\.name) == ["objectId", "createdAt", "updatedAt"])
    }

    @Test func namesOfTypesAreUniqueIdentifiers() {
        var names = UniqueNames(taken: ["class"])
        #expect(names.identifier(for: "class") == "class_")
        #expect(names.identifier(for: "class_") == "class__")
        #expect(names.identifier(for: "9 Straße") == "_9_Stra_e")
        #expect(names.identifier(for: "class") == "class_")
    }

    @Test(arguments: [["types"], ["types", "--lang", "cobol"]])
    func typesNeedAKnownLanguage(arguments: [String]) {
        #expect(throws: (any Error).self) { try Tidegate.parseAsRoot(arguments) }
    }
}
