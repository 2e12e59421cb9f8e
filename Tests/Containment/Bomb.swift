import AttachmentRules
import JobProtocol
import Kernel
import MediaProbe

/// A file that the probe would refuse, with what a probe that was fooled would say of it.
struct Bomb {
    let name: String
    let facts: MediaFacts
    let bytes: [UInt8]

    init(
        _ name: String, _ type: MediaType, _ width: Int, _ height: Int, _ model: MediaFacts.ColorModel,
        _ bytes: [UInt8]
    ) {
        self.name = name
        facts = MediaFacts(mediaType: type, width: width, height: height, colorModel: model)
        self.bytes = bytes
    }

    static var all: [Bomb] { PngBombs.all + JpegBombs.all + OtherBombs.all }

    func request(id: UInt64) -> JobRequest {
        JobRequest(id: id, facts: facts, pictureBytes: bytes.count, recipe: Recipe(), kind: .render)
    }

    func sealed() throws -> SealedFile {
        let file = try MemoryFile.create(name: "source")
        try bytes.withUnsafeBytes { bytes in try file.append(bytes) }
        return try file.seal()
    }
}
