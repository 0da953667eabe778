#if os(Linux)
    import Foundation
    import Testing

    @testable import tidegate

    struct FreedMemoryTests {
        /// The resident size in KiB of the code of a library in this process.
        private func residentSize(of library: String) throws -> Int {
            let report = try #require(try FileHandle(forReadingAtPath: "/proc/self/smaps")?.readToEnd())
            let lines = String(decoding: report, as: UTF8.self).split(separator: "\n")
            let first = try #require(lines.firstIndex { $0.contains(" r-xp ") && $0.contains(library) })
            let line = try #require(lines[first...].first { $0.hasPrefix("Rss:") })
            return try #require(Int(line.split(separator: " ")[1]))
        }

        /// libcurl links the library of LDAP, which the gateway never calls.
        @Test func theProgramAndItsLibrariesStayUsable() throws {
            let code = try #require(dlsym(dlopen(nil, RTLD_NOW), "ldap_initialize"))
            let bytes = UnsafeRawBufferPointer(start: code, count: 16)
            let before = Array(bytes)
            #expect(try residentSize(of: "/libldap") > 0)
            FreedMemory.unmapProgram()
            #expect(try residentSize(of: "/libldap") == 0)
            #expect(Array(bytes) == before)
            #expect(try residentSize(of: "/libldap") > 0)
        }
    }
#endif
