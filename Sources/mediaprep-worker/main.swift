import MediaPipeline
import WorkerProgram

WorkerProgram(start: MediaPipeline.start, process: MediaPipeline.process).run()
