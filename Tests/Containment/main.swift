import AttachmentRules
import Glibc
import JobProtocol
import Kernel
import WorkerPool

// Hands files that no probe lets through to real workers and prints what becomes of each, to show that the sandbox
// holds where the probe does not. With --strict the deadline has to be met within half a second, which only a machine
// that does nothing else can be asked for.
let isStrict = CommandLine.arguments.dropFirst() == ["--strict"]
var configuration = WorkerConfiguration(
    executable: try RunningProgram.path().removingLastComponent.appending("mediaprep-worker"))
configuration.jobDeadline = .seconds(3)
let slack = isStrict ? 0.5 : 5.0
var complaints: [String] = []

print("bomb", "outcome", "seconds", "peak MB", separator: "\t")
var supervisorGrowth = 0
for (index, bomb) in (Bomb.all.suffix(1) + Bomb.all).enumerated() {
    let lane = WorkerLane(configuration)
    try lane.start()
    let idle = try ProcessMemory.resident("\(lane.workerPID ?? 0)")
    let source = try bomb.sealed()
    let request = bomb.request(id: UInt64(index))
    let before = try ProcessMemory.resident("self")
    let start = MonotonicInstant.now
    let outcome: String
    switch try lane.run(request, source: source) {
    case .success(let answer):
        switch answer.reply.outcome {
        case .refused(let rejection): outcome = "refused in \(rejection.stage.rawValue)"
        case .planned, .rendered, .checked, .clip: outcome = "rendered"
        }
    case .failure(.crashed(let status)): outcome = "\(status)"
    case .failure(.timedOut): outcome = "killed at the deadline"
    case .failure(let fault): outcome = "\(fault)"
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    lane.close()
    let growth = try ProcessMemory.resident("self") - before
    // The first one warms up.
    if index == 0 { continue }
    supervisorGrowth = max(supervisorGrowth, growth)
    let peak = lane.counts.peakBytes
    print(bomb.name, outcome, Double(Int(seconds * 100)) / 100, peak >> 20, separator: "\t")
    // A crash is tried once more, with a deadline of its own.
    let attempts = lane.counts.crashes > 0 ? 2.0 : 1.0
    if seconds > attempts * 3 + slack { complaints.append("\(bomb.name) took \(seconds) s") }
    if peak > configuration.addressSpaceBytes + idle {
        complaints.append("\(bomb.name) took \(peak) bytes of memory, \(idle) of them from the start")
    }
}
print("supervisor", "", "", "+\(Double(supervisorGrowth >> 10) / 1024)", separator: "\t")
if supervisorGrowth > 5 << 20 { complaints.append("the supervisor grew by \(supervisorGrowth) bytes") }
for complaint in complaints { print("too much: \(complaint)") }
exit(complaints.isEmpty ? 0 : 1)
