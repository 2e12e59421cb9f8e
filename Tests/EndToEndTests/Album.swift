import Foundation
import Scenes
import Vips

/// Small generated sources that most tests share; each is made once.
enum Album {
    static let photo = made(Scene(width: 900, height: 700, seed: 1), SceneFile(.jpeg()))
    static let other = made(Scene(width: 640, height: 800, seed: 2), SceneFile(.jpeg()))
    static let sticker = made(Scene(width: 320, height: 320, seed: 3), alpha(SceneFile(.png())))
    /// Over the budget at the asked quality.
    static let busy = made(Scene(width: 1000, height: 700, seed: 4, detail: 25), SceneFile(.jpeg()))
    /// Takes a worker long enough to be caught at it.
    static let large = made(Scene(width: 3600, height: 2400, seed: 5), SceneFile(.jpeg()))
    /// Cut in half.
    static let broken = Array(photo.prefix(photo.count / 2))

    private static func made(_ scene: Scene, _ file: SceneFile) -> [UInt8] {
        do {
            return try scene.file(file)
        } catch {
            preconditionFailure("the tests' own picture cannot be made: \(error)")
        }
    }

    private static func alpha(_ file: SceneFile) -> SceneFile {
        var file = file
        file.hasAlpha = true
        return file
    }
}
