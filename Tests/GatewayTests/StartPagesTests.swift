#if os(Linux)
    import Foundation
    import StoreSupport
    import Testing

    @testable import tidegate

    struct StartPagesTests {
        /// The private mapping of a file of four pages.
        private struct Mapping {
            let start: UnsafeMutableRawPointer
            static let size = 4 * Int(getpagesize())

            init(_ path: String) throws {
                try Data(repeating: 7, count: Self.size).write(to: URL(filePath: path))
                let file = open(path, O_RDWR | O_CLOEXEC)
                defer { close(file) }
                start = try #require(mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0))
            }

            var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: Self.size)) }

            func forbidWrites() { #expect(mprotect(start, Self.size, PROT_READ) == 0) }
            func remove() { munmap(start, Self.size) }
        }

        /// The lines of the kernel about the mapping at an address.
        private func report(on start: UnsafeMutableRawPointer) throws -> [Substring] {
            let address = String(UInt(bitPattern: start), radix: 16) + "-"
            let lines = try #require(try StartPages.report()).split(separator: "\n")
            let first = try #require(lines.firstIndex { $0.hasPrefix(address) })
            return Array(lines[first...].prefix(20))
        }

        private func isResident(_ mapping: Mapping) throws -> Bool {
            let line = try #require(try report(on: mapping.start).first { $0.hasPrefix("Rss:") })
            return !line.hasSuffix(" 0 kB")
        }

        @Test func unchangedPagesLeaveTheMemoryAndChangedOnesStay() throws {
            let directory = try TemporaryDirectory()
            let (unchanged, changed) = (
                try Mapping(directory.path + "/unchanged"), try Mapping(directory.path + "/changed")
            )
            defer {
                unchanged.remove()
                changed.remove()
            }
            changed.start.storeBytes(of: 9, as: UInt8.self)
            for mapping in [unchanged, changed] {
                mapping.forbidWrites()
                #expect(mapping.bytes.last == 7)
                #expect(try isResident(mapping))
            }
            StartPages.unmap()
            #expect(try !isResident(unchanged))
            #expect(try isResident(changed))
            #expect(unchanged.bytes.allSatisfy { $0 == 7 })
            #expect(changed.bytes == [9] + [UInt8](repeating: 7, count: Mapping.size - 1))
        }

        @Test func onlyUnwritablePrivateMappingsOfFilesWithoutChangesCount() {
            let kinds = [
                ("r-xp", "/usr/bin/a program", 0), ("r--p", "/lib/changed.so", 4), ("rw-p", "/lib/data.so", 0),
                ("r--s", "/data/file.sqlite", 0), ("r--p", "", 0), ("r--p", "/lib/constants.so", 0),
                ("r-xp", "[vdso]", 0),
            ]
            let text = kinds.enumerated().map { place, kind in
                """
                \(place + 1)000-\(place + 1)f00 \(kind.0) 00000000 08:01 12   \(kind.1)
                Rss:                  12 kB
                Anonymous:         \(kind.2) kB
                VmFlags: rd mr mw me
                """
            }
            #expect(StartPages.unchanged(in: text.joined(separator: "\n")) == [0x1000..<0x1f00, 0x6000..<0x6f00])
        }
    }
#endif
