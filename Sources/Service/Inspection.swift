internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaProbe

/// Re-checks a worker's result before it is published: the worker has decoded hostile bytes and is not trusted.
enum Inspection {
    /// The result's bytes, once they are what the worker says and what the recipe allows.
    ///
    /// Sealing comes first, so that what is checked is what will be published.
    static func accept(
        _ result: consuming MemoryFile, as rendition: Rendition, recipe: Recipe
    ) throws(Rejection) -> SealedFile {
        let sealed: SealedFile
        do throws(Errno) {
            sealed = try result.seal()
        } catch {
            throw refusal(
                .notStripped, "The worker still holds its result open for writing, or has sealed it itself (\(error)).")
        }
        guard sealed.size == rendition.bytes, sealed.size <= recipe.maxBytes else {
            throw refusal(
                .overTarget,
                "The result has \(sealed.size) bytes; \(rendition.bytes) were announced, \(recipe.maxBytes) allowed.")
        }
        let found = try sealed.withBytes { (bytes) throws(Rejection) in
            try RenditionAudit.examine(bytes, mostPixels: rendition.size.width * rendition.size.height)
        }
        let memory = DecodedMemory(width: found.width, height: found.height, bitsPerComponent: 8)
        guard found.width == rendition.size.width, found.height == rendition.size.height,
            found.isProgressive == rendition.isProgressive, min(found.width, found.height) <= recipe.shortEdge,
            memory.residentBytes <= recipe.imageShareBytes
        else {
            throw refusal(
                .notResized,
                "The result is \(found.width)x\(found.height), not as planned and announced.")
        }
        return sealed
    }

    private static func refusal(_ rule: Rule, _ message: String) -> Rejection {
        Rejection(.badReply, rule: rule, stage: .inspect, message)
    }
}
