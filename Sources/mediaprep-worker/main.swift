import MediaPipeline
import WorkerProgram

WorkerProgram(start: MediaPipeline.start, remarks: MediaPipeline.takeRemarks, process: MediaPipeline.process).run()
