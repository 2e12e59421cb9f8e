internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaProbe
internal import WorkerPool

/// The lanes of one thread: for pictures, and for sound and film, whose worker starts when the first of these comes.
///
/// As a `WorkerLane` it belongs to the thread that made it.
final class DecoderLanes {
    let pictures: WorkerLane
    let clips: WorkerLane

    /// - Parameter worker: how workers for pictures are started; that for sound and film lies beside it.
    init(_ worker: WorkerConfiguration, stop: StopFlag) {
        pictures = WorkerLane(worker, stop: stop)
        clips = WorkerLane(worker.forClips, stop: stop)
    }

    /// What became of the workers of both.
    var counts: WorkerCounts {
        var sum = pictures.counts
        sum += clips.counts
        return sum
    }

    var missingLayers: Set<MissingLayer> { pictures.missingLayers.union(clips.missingLayers) }

    /// Has a worker read all of a sound or film, and make a still picture of the film.
    func read(
        _ clip: borrowing SealedFile, as type: MediaType, id: UInt64, recipe: Recipe
    ) throws(WorkFailure) -> Result<WorkerAnswer, WorkerFault> {
        // Nothing but the type is known of it before.
        let facts = MediaFacts(mediaType: type, width: 1, height: 1, colorModel: .other)
        let request = JobRequest(id: id, facts: facts, pictureBytes: clip.size, recipe: recipe, kind: .clip)
        do throws(WorkerPoolError) {
            return try clips.run(request, source: clip)
        } catch {
            throw error == .stopped || error.isShortage ? .workers(error) : .clipWorkers(error)
        }
    }

    func close() {
        pictures.close()
        clips.close()
    }
}

extension WorkerConfiguration {
    /// The same for workers that read sound and film.
    var forClips: WorkerConfiguration {
        var clips = self
        clips.executable = executable.removingLastComponent.appending("mediaprep-clip-worker")
        // Decoding all of a film of 50 MB takes that much longer than a picture.
        clips.jobDeadline = jobDeadline * 6
        clips.resultBytes = JobRequest.mostPosterBytes
        // Measured: a film of 4K in 10 bits has 25 MB a frame and keeps up to 17 of them.
        clips.addressSpaceBytes = addressSpaceBytes * 2
        return clips
    }
}
