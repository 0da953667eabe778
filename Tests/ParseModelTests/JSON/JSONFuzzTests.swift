import ParseModel
import Testing

/// Random texts and values: parsing never crashes, and written values read back unchanged.
@Suite struct JSONFuzzTests {
    @Test(arguments: 0..<8 as Range<UInt64>) func writtenJSONValuesReadBackUnchanged(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let value = random.jsonValue()
            let read = try JSONReader.read(value.jsonBytes)
            #expect(read == value)
            #expect(read.hashValue == value.hashValue)
            #expect(read.jsonBytes == value.jsonBytes)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func membersAreThoseThatTheJSONReaderReads(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let object = random.jsonObject(depth: 3)
            var members: [JSONValue] = []
            let isWhole = try JSONMembers.forEach(in: object.jsonBytes) { name, value in
                members.append(try JSONReader.read(Array("\"".utf8) + name + Array("\"".utf8)))
                members.append(try JSONReader.read(Array(value)))
            }
            #expect(isWhole)
            #expect(members == object.flatMap { [.string($0.key), $0.value] })
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func randomBytesNeverCrashTheSearchForMembers(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = Array("{}[]\",:\\u1e- ".utf8)
        for _ in 0..<2000 {
            let bytes =
                Array("{".utf8) + (0..<Int.random(in: 0...30, using: &random)).map { _ in random.pick(alphabet) }
            var end = 0
            JSONMembers.forEach(in: bytes) { name, value in
                #expect(end < name.startIndex && name.endIndex < value.startIndex && value.endIndex <= bytes.count)
                end = value.endIndex
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func randomBytesNeverCrashTheJSONReader(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = Array("{}[]\",:\\u0123eE+-. \ntrufalsn".utf8) + [0, 0x1F, 0x80, 0xC3, 0xA9, 0xED, 0xF0, 0xFF]
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in random.pick(alphabet) }
            expectIdentityIfReadable(bytes)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func mutatedTextsNeverCrashTheJSONReader(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 {
            var bytes = random.jsonValue().jsonBytes
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(random.pick(Array("{}[]\",:\\0".utf8)), at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            expectIdentityIfReadable(bytes)
        }
    }

    private func expectIdentityIfReadable(_ bytes: [UInt8]) {
        guard let value = try? JSONReader.read(bytes) else { return }
        #expect((try? JSONReader.read(value.jsonBytes)) == value, "\(bytes)")
    }
}
