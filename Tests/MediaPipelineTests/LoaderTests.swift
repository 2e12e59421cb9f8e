import CVips
import Glibc
import Testing
import Vips

/// What of libvips can be reached at all.
@Suite struct LoaderTests {
    /// Every loader that libvips would call, by the name of its class.
    private static func callable() -> [String] {
        var names: [String] = []
        func visit(_ type: GType) {
            var count: guint = 0
            let children = g_type_children(type, &count)
            defer { g_free(children) }
            for index in 0..<Int(count) {
                guard let child = children?[index], let known = g_type_class_ref(child) else { continue }
                visit(child)
                let flags = known.assumingMemoryBound(to: VipsOperationClass.self).pointee.flags
                let isBlocked = flags.rawValue & VIPS_OPERATION_BLOCKED.rawValue != 0
                let isAbstract = g_type_test_flags(child, G_TYPE_FLAG_ABSTRACT.rawValue) != 0
                if !isBlocked, !isAbstract { names.append(String(cString: g_type_name(child))) }
            }
        }
        visit(g_type_from_name("VipsForeignLoad"))
        return names.sorted()
    }

    @Test func onlyTheLoadersThatWeCallCanBeCalled() throws {
        try Vips.start()
        var expected = [
            "VipsForeignLoadHeifBuffer", "VipsForeignLoadJpegBuffer", "VipsForeignLoadNsgifBuffer",
            "VipsForeignLoadPngBuffer", "VipsForeignLoadTiffBuffer", "VipsForeignLoadWebpBuffer",
        ]
        // A module of its own or built in where there is one at all.
        if g_type_from_name("VipsForeignLoadHeifBuffer") == 0 { expected.removeFirst() }
        let callable = Self.callable()
        print("loaders that can be called: \(callable.joined(separator: " "))")
        #expect(callable == expected)
    }

    @Test func aBlockedLoaderDoesNotLoad() throws {
        try Vips.start()
        let matrix = "/tmp/mediaprep-\(getpid()).mat"
        let file = try #require(fopen(matrix, "w"))
        fputs("1 1\n1\n", file)
        fclose(file)
        defer { unlink(matrix) }
        // One that libvips does not call untrusted.
        let operation = try #require(vips_operation_new("matrixload"))
        let object = UnsafeMutableRawPointer(operation).assumingMemoryBound(to: VipsObject.self)
        #expect(vips_object_set_argument_from_string(object, "filename", matrix) == 0)
        #expect(vips_cache_operation_build(operation) == nil)
        #expect(String(cString: vips_error_buffer()).contains("blocked"))
        vips_error_clear()
        g_object_unref(operation)
    }

    /// What would be no use to a picture that we take is not even mapped.
    @Test func noOtherModuleIsMapped() throws {
        try Vips.start()
        let file = try #require(fopen("/proc/self/maps", "r"))
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        var modules: Set<String> = []
        while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
            let parts = text.split(whereSeparator: { $0 == "/" || $0 == "\n" })
            if parts.dropLast().last?.hasPrefix("vips-modules-") == true {
                modules.insert(String(parts[parts.count - 1]))
            }
        }
        print("modules that are mapped: \(modules.sorted().joined(separator: " "))")
        #expect(modules.isSubset(of: ["vips-heif.so"]))
    }
}
