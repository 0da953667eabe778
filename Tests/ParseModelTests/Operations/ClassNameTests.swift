import ParseModel
import Testing

@Suite struct ClassNameTests {
    @Test(arguments: ["Holiday", "a", "Holiday_2", "H2O", "_User", "_Role"]) func validClassNamesAreAccepted(
        name: String
    ) {
        #expect(throws: Never.self) { try ClassName.validate(name) }
    }

    @Test(arguments: ["", "1bad", "_Mine", "a-b", "a.b", "a b", "Fête", "a\u{0}", "length", "className", "$a"])
    func invalidClassNamesAreRefused(name: String) {
        #expect(throws: ParseError(.invalidJSON, "schema class name does not revalidate")) {
            try ClassName.validate(name)
        }
    }

    @Test(arguments: ["_Product", "_Idempotency"]) func unsupportedInternalClassesOfParseServerAreRefused(
        name: String
    ) {
        #expect(throws: ParseError(.commandUnavailable, "The class \(name) is not supported yet.")) {
            try ClassName.validate(name)
        }
    }
}
