internal import AttachmentRules
internal import Kernel
internal import MediaProbe

/// What the structure of a file tells of it, whatever its size: the file is mapped and nothing is copied.
struct FileHeader {
    /// Length, in bytes.
    let bytes: Int
    /// By content; nil when no known signature fits.
    let mediaType: MediaType?
    /// Of a picture; a refusal for what is none.
    let facts: Result<MediaFacts, Rejection>
    /// Of a picture, as it is shown.
    let upright: UprightSize?

    /// - Throws: when the file cannot be read, is none, or gets shorter meanwhile.
    init(of file: SourceFile, limits: Limits) throws(Rejection) {
        if let problem = file.problem { throw Intake.unreadable(problem) }
        guard file.kind == .regular else { throw Intake.notRegular(file.kind) }
        do throws(Errno) {
            let descriptor = try file.open()
            let status = try descriptor.status()
            guard status.kind == .regular else { throw .invalidArgument }
            self = try descriptor.withMappedBytes(status.size) { FileHeader(of: $0, limits: limits) }
        } catch {
            switch error {
            // What was a file when it was looked at is none any more.
            case .symbolicLink, .invalidArgument: throw Intake.notRegular(.symlink)
            case .inputOutput:
                throw Rejection(
                    .changedWhileRead, rule: .notAFile, stage: .intake,
                    "The file got shorter while it was read, or its disk failed; try again when its writer is done.")
            default: throw Intake.unreadable(error)
            }
        }
    }

    private init(of bytes: Span<UInt8>, limits: Limits) {
        self.bytes = bytes.count
        mediaType = bytes.isEmpty ? nil : MediaProbe.identify(bytes)
        do throws(Rejection) {
            let facts = try MediaProbe.examine(bytes, limits: limits)
            upright = MediaProbe.upright(bytes, facts: facts, limits: limits)
            self.facts = .success(facts)
        } catch {
            upright = nil
            facts = .failure(error)
        }
    }
}
