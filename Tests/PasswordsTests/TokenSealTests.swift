import Passwords
import Testing

@Suite("Sealed tokens")
struct TokenSealTests {
    private let seal = TokenSeal(key: TokenSeal.newKey())
    private let token = "r:0123456789abcdef0123456789abcdef"

    @Test func aSealedTokenIsDecryptedForItsUser() {
        let sealed = seal.sealed(token, of: "ada")
        #expect(seal.opened(sealed, of: "ada") == token)
        #expect(seal.opened(seal.sealed("", of: ""), of: "") == "")
    }

    @Test func aSealedTokenIsNotDecryptedForAnotherUserOrKey() {
        let sealed = seal.sealed(token, of: "ada")
        #expect(seal.opened(sealed, of: "eve") == nil)
        #expect(TokenSeal(key: TokenSeal.newKey()).opened(sealed, of: "ada") == nil)
    }

    @Test func aChangedSealIsNotDecrypted() {
        let sealed = seal.sealed(token, of: "ada")
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(seal.opened(changed, of: "ada") == nil)
            #expect(seal.opened(Array(sealed.prefix(place)), of: "ada") == nil)
        }
    }

    @Test func equalTokensHaveDifferentSeals() {
        #expect(seal.sealed(token, of: "ada") != seal.sealed(token, of: "ada"))
    }
}
