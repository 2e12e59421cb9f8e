internal import AttachmentRules

extension Manifest.Memory {
    /// What a phone needs for a picture, held against every budget of its receiver.
    ///
    /// - Parameters:
    ///   - peaks: of `memory`.
    ///   - base: that the peaks are over, in bytes.
    init(_ memory: DecodedMemory, peaks: DecodedMemory.Peaks, base: Int, for receiver: Profile) {
        self.init(memory, fileBytes: nil)
        baseBytes = base
        self.peaks = peaks
        budgets = Dictionary(
            uniqueKeysWithValues: MemoryBudget.allCases.map { budget in
                let limit = receiver.limitBytes(of: budget)
                return (budget.rawValue, budget.verdict(of: memory, peaks: peaks, limitBytes: limit))
            })
    }
}
