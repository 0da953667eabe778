import ParseModel
import Testing

@Suite struct RelationChangeTests {
    private static func pointer(_ id: String, _ className: String = "Country") -> JSONValue {
        Pointer(className: className, objectId: id).json
    }

    private static func change(_ added: [String] = [], without removed: [String] = []) -> RelationChange {
        RelationChange(memberClass: "Country", added: added, removed: removed)
    }

    private static func part(_ name: String, _ ids: String...) -> JSONValue {
        ["__op": .string(name), "objects": .array(ids.map { pointer($0) })]
    }

    private static func operation(_ name: String, _ objects: JSONValue?) -> JSONValue {
        var operation: JSONObject = ["__op": .string(name)]
        operation["objects"] = objects
        return .object(operation)
    }

    private static func batch(_ operations: JSONValue) -> JSONValue { ["__op": "Batch", "ops": operations] }

    @Test(
        arguments: [
            (part("AddRelation", "a", "b"), change(["a", "b"])),
            (part("RemoveRelation", "a"), change(without: ["a"])),
            (batch([part("AddRelation", "a"), part("RemoveRelation", "b")]), change(["a"], without: ["b"])),
        ] as [(JSONValue, RelationChange)])
    func relationOperationsAreReadFromJSON(json: JSONValue, change: RelationChange) throws {
        let operation = try FieldOperation(json: json, field: "countries", className: "Holiday")
        #expect(operation == .relation(change))
        #expect(operation.json == json)
        let stored = FieldOperations(stored: ["countries": operation.json])
        #expect(stored["countries"] == operation)
    }

    @Test func aBatchOfRelationOperationsIsReadInOrder() throws {
        let json: JSONValue = [
            "__op": "Batch",
            "ops": [
                Self.part("AddRelation", "a", "b"), Self.part("RemoveRelation", "a", "c"),
                Self.part("AddRelation", "c", "c"),
            ],
        ]
        let operation = try FieldOperation(json: json, field: "countries", className: "Holiday")
        #expect(operation == .relation(Self.change(["b", "c"], without: ["a"])))
    }

    /// The PHP SDK sends both operations, also for an addition or a removal alone.
    @Test func emptyOperationsOfABatchAreIgnored() throws {
        let none: JSONValue = []
        let added = Self.batch([Self.part("AddRelation", "a"), Self.operation("RemoveRelation", none)])
        let removed = Self.batch([Self.operation("AddRelation", none), Self.part("RemoveRelation", "b")])
        for (json, change) in [(added, Self.change(["a"])), (removed, Self.change(without: ["b"]))] {
            let operation = try FieldOperation(json: json, field: "countries", className: "Holiday")
            #expect(operation == .relation(change))
        }
    }

    private static let notPointers = ParseError(
        .invalidJSON, "members of a relation must be pointers, and at least one")
    private static let badBatch = ParseError(
        .invalidJSON, "ops of a Batch must be an array of AddRelation and RemoveRelation operations")
    private static let mixed = ParseError(
        .incorrectType, "schema mismatch for Holiday.countries; expected Relation<Country> but got Relation<City>")

    @Test(
        arguments: [
            (operation("AddRelation", nil), ParseError(.invalidJSON, "objects to add must be an array")),
            (operation("RemoveRelation", 1), ParseError(.invalidJSON, "objects to remove must be an array")),
            (operation("AddRelation", []), notPointers), (operation("RemoveRelation", ["a"]), notPointers),
            (operation("AddRelation", [pointer("a"), 1]), notPointers),
            (operation("AddRelation", [pointer("")]), ParseError(.incorrectType, "This is not a valid Pointer")),
            (operation("AddRelation", [pointer("a"), pointer("a", "City")]), mixed), (batch(nil), badBatch),
            (batch([]), badBatch), (batch([operation("Increment", nil)]), badBatch),
            (batch([operation("AddRelation", []), operation("RemoveRelation", [])]), notPointers),
            (batch([part("AddRelation", "a"), 1]), badBatch),
            (batch([part("AddRelation", "a"), operation("RemoveRelation", [pointer("a", "City")])]), mixed),
        ] as [(JSONValue, ParseError)])
    func invalidRelationChangesAreRefused(json: JSONValue, error: ParseError) {
        #expect(throws: error) { try FieldOperation(json: json, field: "countries", className: "Holiday") }
    }

    @Test func builtInFieldCannotBeARelation() throws {
        let error = try #require(throws: ParseError.self) {
            try FieldOperations(body: ["createdAt": Self.part("AddRelation", "a")], className: "Holiday")
        }
        #expect(error.code == .incorrectType)
    }

    @Test func removalWinsOverAnAdditionOfTheSameWrite() {
        let change = Self.change(["a", "b", "b"], without: ["a", "a"])
        #expect((change.added, change.removed) == (["b"], ["a"]))
    }

    @Test(
        arguments: [
            (change(["a"]), change(["b", "a"]), change(["a", "b"])),
            (change(["a"]), change(without: ["a"]), change(without: ["a"])),
            (change(without: ["a"]), change(["a"]), change(["a"])),
            (change(["a", "b"]), change(without: ["b", "c"]), change(["a"], without: ["b", "c"])),
            (change(without: ["a", "b"]), change(["b"], without: ["c"]), change(["b"], without: ["a", "c"])),
        ])
    func theLaterOfTwoMemberChangesWins(first: RelationChange, second: RelationChange, both: RelationChange) {
        #expect(FieldOperation.relation(second).merged(after: .relation(first)) == .relation(both))
    }

    @Test(
        arguments: [
            .set(1), .delete, .increment(JSONNumber(1)), .add([1]), .addUnique([1]), .remove([1]),
            .relation(RelationChange(memberClass: "City", added: ["a"])),
        ] as [FieldOperation])
    func relationChangesMergeOnlyWithEachOther(other: FieldOperation) {
        let relation = FieldOperation.relation(Self.change(["a"]))
        #expect(relation.merged(after: other) == nil)
        #expect(other.merged(after: relation) == nil)
    }

    // MARK: The field

    @Test func relationFieldValueNamesTheClassOfItsMembers() throws {
        let value: JSONValue = ["__type": "Relation", "className": "Country"]
        for change in [Self.change(["a"]), Self.change(without: ["a"])] {
            for old in [nil, .null, value] as [JSONValue?] {
                let operation = FieldOperation.relation(change)
                #expect(try operation.apply(to: old, field: "countries", className: "Holiday") == value)
            }
        }
    }

    @Test func relationsAcceptOnlyRelationChanges() throws {
        let change = FieldOperation.relation(Self.change(["a"]))
        let city: JSONValue = ["__type": "Relation", "className": "City"]
        let country: JSONValue = ["__type": "Relation", "className": "Country"]
        let misfits: [(FieldOperation, JSONValue)] = [
            (change, "x"), (change, city), (change, [Self.pointer("a")]), (.set("x"), country), (.set(city), country),
            (.delete, country), (.add([Self.pointer("a")]), country), (.increment(JSONNumber(1)), country),
        ]
        for (operation, old) in misfits {
            let error = try #require(throws: ParseError.self) {
                try operation.apply(to: old, field: "countries", className: "Holiday")
            }
            #expect(error.code == .incorrectType, "\(operation) on \(old)")
        }
        #expect(
            throws: ParseError(
                .incorrectType,
                "schema mismatch for Holiday.countries; expected Relation<City> but got Relation<Country>")
        ) { try change.apply(to: city, field: "countries", className: "Holiday") }
    }

    @Test func relationChangesAreIdempotentAndNotReturnedInResponses() throws {
        let body: JSONObject = ["countries": Self.part("AddRelation", "a"), "n": ["__op": "Increment", "amount": 1]]
        let operations = try FieldOperations(body: body, className: "Holiday")
        let fields = try operations.apply(to: [:], className: "Holiday")
        #expect(operations.echoed(from: fields) == ["n": 1])
        #expect(operations.onlyRelations.isIdempotent && !operations.isIdempotent)
        #expect(operations.onlyRelations.fields == ["countries"])
    }

    @Test func membersAreFoundAndReplacedAsPointers() throws {
        var operations = FieldOperations()
        operations["countries"] = .relation(Self.change(["a", "b"], without: ["c"]))
        #expect(operations.pointers.map(\.objectId) == ["a", "b", "c"])
        let replaced = operations.replacingPointers { Pointer(className: $0.className, objectId: $0.objectId + "2") }
        #expect(replaced["countries"] == .relation(Self.change(["a2", "b2"], without: ["c2"])))
        // Three ids are replaced by the id of one object.
        let one = operations.replacingPointers { Pointer(className: $0.className, objectId: "x") }
        #expect(one["countries"] == .relation(Self.change(without: ["x"])))
    }

    @Test(arguments: [1, 10]) func membersOfOneWriteAreBounded(parts: Int) throws {
        let json = { (count: Int) -> JSONValue in
            let ids = (0..<count).map { Self.pointer("c\($0)") }
            let size = count / parts
            return Self.batch(
                .array(
                    (0..<parts).map { Self.operation("AddRelation", .array(Array(ids[$0 * size..<($0 + 1) * size]))) }))
        }
        let read = { (json: JSONValue) in try FieldOperation(json: json, field: "countries", className: "Holiday") }
        #expect(try read(json(10_000)).type == .relation("Country"))
        let error = #expect(throws: ParseError.self) { try read(json(10_010)) }
        #expect(error?.code == .objectTooLarge)
    }

    /// Guards against quadratic time in the number of parts.
    @Test func largeBatchesOfRelationOperationsAreReadInLinearTime() throws {
        var parts: [JSONValue] = []
        var whole = Self.change()
        for place in 0..<500 {
            let (id, adds) = ("c\(place * 7 % 90)", place % 3 != 0)
            parts.append(Self.operation(adds ? "AddRelation" : "RemoveRelation", [Self.pointer(id)]))
            whole = try #require(whole.followed(by: adds ? Self.change([id]) : Self.change(without: [id])))
        }
        let operation = try FieldOperation(json: Self.batch(.array(parts)), field: "countries", className: "Holiday")
        #expect(operation == .relation(whole))
    }

    @Test func relationChangesOverTheSizeLimitAreNotMerged() throws {
        let adding = { (range: Range<Int>) in FieldOperation.relation(Self.change(range.map { "c\($0)" })) }
        #expect(adding(5000..<10_000).merged(after: adding(0..<5000)) == adding(0..<10_000))
        #expect(adding(5000..<10_001).merged(after: adding(0..<5000)) == nil)
    }
}
