internal import AttachmentRules

extension Manifest {
    /// Has a refusal written where outcomes are. It is told all the same where there is no place for its manifest, and
    /// says so.
    mutating func record(_ write: (Manifest) throws -> Void) throws(BatchFailure) {
        do {
            try write(self)
        } catch let obstacle as Rejection {
            if obstacle.message != rejection?.message {
                rejection?.message += " No manifest was written: \(obstacle.message)"
            }
        } catch {
            throw BatchFailure(error)
        }
    }
}
