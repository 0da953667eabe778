import Testing

@testable import ParseModel

/// Pipelines and results with the names and values that MongoDB stores.
struct DocumentFormTests {
    private let names = DocumentForm(hasRawNames: true, hasRawValues: false)
    private let values = DocumentForm(hasRawNames: false, hasRawValues: true)
    private let both = DocumentForm(hasRawNames: true, hasRawValues: true)

    private let document: JSONValue = [
        "objectId": "a", "createdAt": "2027-02-06T00:00:00.000Z",
        "at": ["__type": "Date", "iso": "2027-02-07T00:00:00.000Z"],
        "owner": ["__type": "Pointer", "className": "City", "objectId": "c"], "n": 1,
    ]

    @Test func aggregateResultsHaveTheFieldNamesThatMongoDBStores() {
        #expect(
            names.shown(document) == [
                "_id": "a", "_created_at": "2027-02-06T00:00:00.000Z", "at": "2027-02-07T00:00:00.000Z",
                "_p_owner": "City$c", "n": 1,
            ])
    }

    @Test func aggregateResultsHaveDatesInExtendedJSON() {
        #expect(
            both.shown(document) == [
                "_id": "a", "_created_at": ["$date": "2027-02-06T00:00:00.000Z"],
                "at": ["$date": "2027-02-07T00:00:00.000Z"], "_p_owner": "City$c", "n": 1,
            ])
        #expect(values.shown(document).object?["createdAt"] == ["$date": "2027-02-06T00:00:00.000Z"])
        #expect(values.shown(document).object?["owner"] == document.object?["owner"])
    }

    @Test func pipelinesMayNamePointersAsMongoDBStoresThem() {
        let city: JSONValue = ["__type": "Pointer", "className": "City", "objectId": "c"]
        #expect(names.parsed(["_p_owner": "City$c"]) == ["owner": city])
        #expect(names.parsed(["_p_owner": ["$in": ["City$c"]]]) == ["owner": ["$in": [city]]])
        #expect(names.parsed(["_id": "$_p_owner"]) == ["_id": "$owner"])
        #expect(names.parsed(["text": "City$c"]) == ["text": "City$c"])
    }

    @Test func pipelinesMayHaveValuesInExtendedJSON() {
        let date: JSONValue = ["__type": "Date", "iso": "2027-02-06T00:00:00.000Z"]
        #expect(values.parsed(["a": ["$gt": ["$date": "2027-02-06T00:00:00Z"]]]) == ["a": ["$gt": date]])
        #expect(values.parsed(["a": ["$numberLong": "5"], "b": ["$oid": "x"]]) == ["a": 5, "b": "x"])
    }

    @Test func aggregateParametersOfAnotherTypeAreRefused() throws {
        #expect(
            try AggregateQuery(parameters: ["pipeline": [], "rawValues": true, "rawFieldNames": "true"]).form == both)
        #expect(throws: ParseError(.invalidQuery, "rawValues must be true or false")) {
            try AggregateQuery(parameters: ["pipeline": [], "rawValues": 5])
        }
    }
}
