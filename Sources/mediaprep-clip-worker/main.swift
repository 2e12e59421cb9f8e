import Clips
import WorkerProgram

WorkerProgram(start: Clips.start, remarks: Clips.takeRemarks, process: Clips.process).run()
