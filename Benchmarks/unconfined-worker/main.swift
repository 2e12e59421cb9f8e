import MediaPipeline
import WorkerProgram

// The worker without its sandbox, to measure what the sandbox costs. Never installed.
WorkerProgram(start: MediaPipeline.start, remarks: MediaPipeline.takeRemarks, process: MediaPipeline.process).run(
    isConfined: false)
