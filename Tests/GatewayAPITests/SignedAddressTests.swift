import ParseModel
import Passwords
import Synchronization
import Testing

@testable import GatewayAPI

@Suite struct SignedAddressTests {
    private func parameters(_ query: String) throws -> JSONObject {
        PercentCoding.parameters(ofQuery: Array(query.utf8))
    }

    @Test func signedFileURLOpensItsUsersFileForAtMostTenMinutes() throws {
        let clock = Mutex(ParseDate(milliseconds: 30_000))
        let signer = AddressSigner()
        let addresses = SignedAddresses(signer: signer) { clock.withLock { $0 } }
        let query = try parameters(addresses.query(of: "cat.png", userId: "a/b"))
        #expect(try #require(try addresses.grant(of: "cat.png", query)) == ("a/b", .seconds(570)))
        #expect(try addresses.grant(of: "cat.png", [:]) == nil)
        clock.withLock { $0 = ParseDate(milliseconds: 599_999) }
        #expect(try #require(try addresses.grant(of: "cat.png", query)) == ("a/b", .milliseconds(1)))
        clock.withLock { $0 = ParseDate(milliseconds: 600_000) }
        #expect(throws: APIError.forbidden(reason: "the address has expired")) {
            try addresses.grant(of: "cat.png", query)
        }
    }

    @Test func tamperedSignedFileURLIsRefused() throws {
        let addresses = SignedAddresses(signer: AddressSigner()) { ParseDate(milliseconds: 0) }
        let query = try parameters(addresses.query(of: "cat.png", userId: "ada"))
        func isRefused(_ name: String, _ change: (inout JSONObject) -> Void) -> Bool {
            var changed = query
            change(&changed)
            do { return try addresses.grant(of: name, changed) == nil } catch {
                return error == .forbidden(reason: "the signature of the address is wrong")
            }
        }
        #expect(isRefused("dog.png") { _ in })
        #expect(isRefused("cat.png") { $0["user"] = "ben" })
        #expect(isRefused("cat.png") { $0["expires"] = "900000" })
        #expect(isRefused("cat.png") { $0["expires"] = nil })
        #expect(isRefused("cat.png") { $0["signature"] = "00" })
        #expect(isRefused("cat.png") { $0["signature"] = "zz" })
        let other = SignedAddresses(signer: AddressSigner()) { ParseDate(milliseconds: 0) }
        #expect(throws: APIError.self) { try other.grant(of: "cat.png", query) }
    }

    /// The users of a site replica share one database, so a signed URL names no user.
    @Test func signedFileURLOfASiteReplicaNamesNoUser() throws {
        let addresses = SignedAddresses(signer: AddressSigner()) { ParseDate(milliseconds: 0) }
        let ofSite = try parameters(addresses.query(of: "cat.png", userId: nil))
        #expect(ofSite["user"] == nil)
        #expect(try addresses.isSigned("cat.png", ofSite))
        #expect(try !addresses.isSigned("cat.png", [:]))
        let wrong = APIError.forbidden(reason: "the signature of the address is wrong")
        #expect(throws: wrong) { try addresses.isSigned("dog.png", ofSite) }
        #expect(throws: wrong) { try addresses.grant(of: "cat.png", ofSite) }
        let ofUser = try parameters(addresses.query(of: "cat.png", userId: "ada"))
        #expect(throws: wrong) { try addresses.isSigned("cat.png", ofUser) }
    }

    /// The entity tag follows from the answer's content. A URL that changed with each answer would also change the
    /// tag.
    @Test func signedFileURLStaysTheSameForAMinute() throws {
        let clock = Mutex(ParseDate(milliseconds: 60_000))
        let addresses = SignedAddresses(signer: AddressSigner()) { clock.withLock { $0 } }
        let first = addresses.query(of: "cat.png", userId: "ada")
        clock.withLock { $0 = ParseDate(milliseconds: 119_999) }
        #expect(addresses.query(of: "cat.png", userId: "ada") == first)
        clock.withLock { $0 = ParseDate(milliseconds: 120_000) }
        #expect(addresses.query(of: "cat.png", userId: "ada") != first)
    }
}
