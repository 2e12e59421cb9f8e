import ClipFixtures
import Hashing
import Scenes

/// Small generated sounds and films that most tests share; each is made once.
enum Clips {
    static let tone = Tone(seconds: 1).file
    static let film = made { try Film().file() }
    static let reel = made { try Reel(width: 160, height: 120, frames: 10).file() }
    static let sound = made {
        var film = Film()
        film.video = nil
        return try film.file()
    }
    /// Takes a worker long enough to be caught at it.
    static let long = made {
        var film = Film()
        film.seconds = 20
        film.width = 960
        film.height = 720
        return try film.file()
    }

    private static func made(_ body: () throws -> [UInt8]) -> [UInt8] {
        do {
            return try body()
        } catch {
            preconditionFailure("the tests' own film cannot be made: \(error)")
        }
    }
}

/// The SHA-256 of a file, in hexadecimal: a span may not stand in an expectation.
func digest(of bytes: [UInt8]) -> String { Digest.hex(bytes.span) }
