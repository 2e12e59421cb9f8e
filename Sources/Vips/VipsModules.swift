internal import CLinux
internal import CVips
internal import Glibc

/// The loaders that Debian's libvips keeps in modules of their own.
enum VipsModules {
    /// Keeps `vips_init` from loading every module: of magick, poppler, openslide, jxl and heif only the last is for
    /// pictures that we take. Starting without the others takes 41 ms instead of 56, and what is not mapped cannot be
    /// called by somebody who took the process over; blocking a loader (`VipsLoader.allowNoOthers`) keeps only libvips
    /// from calling it.
    ///
    /// libvips looks for modules below VIPSHOME. There is none for us to prepare: a directory with a link to the one
    /// module would have to be installed, found and kept in step with libvips, where `loadHEIF` needs nothing but
    /// libvips itself.
    static func loadNone() {
        setenv("VIPSHOME", "/nonexistent", 1)
    }

    /// Loads the HEIF module from where libvips's own library lies. Where libvips was built with HEIF inside, or
    /// without, there is none to load.
    static func loadHEIF() {
        guard let library = linux_library_of("vips_init") else { return }
        let directory = String(cString: library).split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let modules = "vips-modules-\(vips_version(0)).\(vips_version(1))"
        let path = (directory.map(String.init) + [modules, "vips-heif.so"]).joined(separator: "/")
        guard let module = dlopen(path, RTLD_LAZY), let symbol = dlsym(module, "g_module_check_init") else { return }
        // What GModule does with a module: its initialiser registers the loaders.
        typealias Initialiser = @convention(c) (UnsafeMutableRawPointer?) -> UnsafePointer<CChar>?
        _ = unsafeBitCast(symbol, to: Initialiser.self)(nil)
    }
}
