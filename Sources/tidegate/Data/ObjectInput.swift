import Foundation
import Gateway
import ParseModel

/// Reads JSON objects from arguments, files and standard input.
enum ObjectInput {
    /// The maximum size of a file and of the standard input, in bytes. A gateway takes less.
    private static let bytesMax = 64 << 20

    /// Reads the fields of an object.
    /// - Parameter arguments: one JSON object, `-` for standard input, `@file`, or fields: `name=text` for a text and
    ///   `name:=json` for a JSON value.
    /// - Throws: `ConfigurationError`.
    static func object(_ arguments: [String]) throws(ConfigurationError) -> JSONObject {
        guard let first = arguments.first else {
            throw ConfigurationError("the object is missing: give JSON, -, @file or name=value")
        }
        if first == "-" || first.hasPrefix("@") || first.hasPrefix("{") {
            guard arguments.count == 1 else {
                throw ConfigurationError("one JSON object, or fields as name=value: not both")
            }
            return try json(first)
        }
        var object = JSONObject()
        for argument in arguments {
            let (name, value) = try field(argument)
            guard object[name] == nil else { throw ConfigurationError("the field \(name) is given twice") }
            object[name] = value
        }
        return object
    }

    /// Reads one JSON object.
    /// - Parameter argument: JSON, `-` for standard input, or `@file`.
    /// - Throws: `ConfigurationError`.
    static func json(_ argument: String) throws(ConfigurationError) -> JSONObject {
        let bytes: [UInt8]
        let source: String
        if argument == "-" {
            (bytes, source) = (try content(of: .standardInput, "standard input"), "standard input")
        } else if argument.hasPrefix("@") {
            source = String(argument.dropFirst())
            guard let file = FileHandle(forReadingAtPath: source) else {
                throw ConfigurationError("cannot read \(source)")
            }
            bytes = try content(of: file, source)
        } else {
            (bytes, source) = (Array(argument.utf8), "the argument")
        }
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes)
        } catch {
            let reason = (error as? JSONReader.SyntaxError)?.message ?? "\(error)"
            throw ConfigurationError("\(source) is not JSON: \(reason)")
        }
        guard let object = value.object else { throw ConfigurationError("\(source) is not a JSON object") }
        return object
    }

    /// Reads one field: `name=text` or `name:=json`.
    static func field(_ argument: String) throws(ConfigurationError) -> (name: String, value: JSONValue) {
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else {
            throw ConfigurationError("'\(argument)' is not name=text, name:=json, a JSON object, - or @file")
        }
        let text = String(argument[argument.index(after: sign)...])
        let name = String(argument[..<sign])
        guard name.hasSuffix(":") else { return (name, .string(text)) }
        guard name.count > 1, let value = try? JSONReader.read(Array(text.utf8)) else {
            throw ConfigurationError("'\(argument)': the text after := is not JSON. For a text, write name=text")
        }
        return (String(name.dropLast()), value)
    }

    private static func content(of file: FileHandle, _ name: String) throws(ConfigurationError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
                bytes += part
                guard bytes.count <= bytesMax else {
                    throw ConfigurationError("\(name) is longer than \(bytesMax) bytes")
                }
            }
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw ConfigurationError("cannot read \(name): \(error.localizedDescription)")
        }
        return bytes
    }
}
