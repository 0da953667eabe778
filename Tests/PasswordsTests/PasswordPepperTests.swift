import Passwords
import Testing

@Suite("Peppered passwords")
struct PasswordPepperTests {
    private let key = [UInt8](repeating: 7, count: TokenSeal.keySize)

    @Test func thePepperedTextDependsOnPasswordUserAndKey() {
        let pepper = PasswordPepper(from: key)
        let text = pepper.peppered("sesame", of: "ada")
        #expect(text.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(PasswordPepper(from: key).peppered("sesame", of: "ada") == text)
        #expect(pepper.peppered("sesame", of: "ben") != text)
        #expect(pepper.peppered("Sesame", of: "ada") != text)
        #expect(PasswordPepper(from: TokenSeal.newKey()).peppered("sesame", of: "ada") != text)
        #expect(pepper.peppered("b", of: "a") != pepper.peppered("", of: "ab"))
    }
}
