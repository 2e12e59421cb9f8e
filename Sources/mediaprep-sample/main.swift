internal import Glibc
internal import Scenes

/// Writes a folder of pictures, a sound and a film to try mediaprep on.
///
///     mediaprep-sample DIR
///
/// Exit codes: 0 written, 2 usage, 3 the folder or a file could not be written.

/// One file of the sample: its name, what it shows, and its bytes.
struct Sample {
    let name: String
    let what: String
    let bytes: () throws -> [UInt8]
}

let harbour = Scene(width: 4032, height: 3024, seed: 3, detail: 3)

let samples = [
    Sample(name: "harbour.jpg", what: "a plain photo of 12 megapixels") {
        try harbour.file(SceneFile(.jpeg()))
    },
    Sample(name: "portrait-sideways.jpg", what: "stored lying on its side, with camera and place in EXIF") {
        var file = SceneFile(.jpeg())
        file.orientation = 6
        file.hasCamera = true
        file.hasGPS = true
        return try Scene(width: 1512, height: 2016, seed: 5, detail: 2.5).file(file)
    },
    Sample(name: "sunset-p3.jpg", what: "in Display P3, as phones take them") {
        var file = SceneFile(.jpeg())
        file.colors = .displayP3
        return try Scene(width: 2016, height: 1512, seed: 8, detail: 2.5).file(file)
    },
    Sample(name: "sticker.png", what: "with transparency") {
        var file = SceneFile(.png())
        file.hasAlpha = true
        return try Scene(width: 800, height: 800, seed: 11, detail: 1).file(file)
    },
    Sample(name: "noise.jpg", what: "too busy for 100,000 bytes at quality 80") {
        try Scene(width: 1800, height: 1200, seed: 13, detail: 14).file(SceneFile(.jpeg()))
    },
    Sample(name: "film.avi", what: "a film of two seconds") {
        try Reel(width: 480, height: 360, frames: 20).file()
    },
    Sample(name: "tone.wav", what: "a tone of one second") { Tone(seconds: 1).file },
    Sample(name: "broken.jpg", what: "cut off in the middle") {
        let whole = try Scene(width: 1200, height: 900, seed: 17).file(SceneFile(.jpeg()))
        return Array(whole.prefix(whole.count / 2))
    },
    Sample(name: "notes.txt", what: "no picture at all") {
        Array("Buy milk.\nCall the harbour master.\n".utf8)
    },
]

/// Descriptor 1 for results, 2 for complaints.
func say(_ text: String, to descriptor: CInt) {
    let line = Array((text + "\n").utf8)
    _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
}

func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let written = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && written == bytes.count
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 1, let folder = arguments.first, !folder.hasPrefix("-") else {
    say("usage: mediaprep-sample DIR", to: 2)
    exit(2)
}
guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
    say("mediaprep-sample: \(folder): \(String(cString: strerror(errno)))", to: 2)
    exit(3)
}
for sample in samples {
    do {
        let bytes = try sample.bytes()
        guard write(bytes, to: "\(folder)/\(sample.name)") else {
            say("mediaprep-sample: \(folder)/\(sample.name): \(String(cString: strerror(errno)))", to: 2)
            exit(3)
        }
        say("\(folder)/\(sample.name)  \(bytes.count) bytes  \(sample.what)", to: 1)
    } catch {
        say("mediaprep-sample: \(sample.name) could not be made: \(error)", to: 2)
        exit(3)
    }
}
