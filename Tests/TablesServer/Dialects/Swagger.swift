import ParseModel

/// The description of the tables that Azure Mobile Apps answers to `GET /swagger`. Types and formats follow
/// `src/swagger/tableDefinition.js` of `azure-mobile-apps-node`.
enum Swagger {
    static func document(of tables: [TableRows]) -> JSONValue {
        let sorted = tables.sorted { $0.table.name < $1.table.name }
        return [
            "swagger": "2.0",
            "info": ["title": "Azure Mobile Apps", "version": "1.0.0"],
            "paths": .object(
                JSONObject(sorted.map { ("/tables/\($0.table.name)", ["get": [:], "post": [:]]) })),
            "definitions": .object(JSONObject(sorted.map { ($0.table.name, definition($0)) })),
        ]
    }

    private static func definition(_ rows: TableRows) -> JSONValue {
        var properties = JSONObject()
        for column in rows.columns { properties[column.name] = property(column.type) }
        properties["id"] = property(rows.table.numbersIds ? .number : .text)
        for name in ["createdAt", "updatedAt"] {
            properties[name] = ["type": "string", "format": "date-time", "readOnly": true]
        }
        properties["version"] = ["type": "string", "readOnly": true]
        properties["deleted"] = property(.bool)
        return ["type": "object", "properties": .object(properties)]
    }

    private static func property(_ type: TablesServer.ColumnType) -> JSONValue {
        switch type {
        case .text: ["type": "string"]
        case .number: ["type": "number", "format": "float"]
        case .bool: ["type": "boolean"]
        case .date: ["type": "string", "format": "date-time"]
        }
    }
}
