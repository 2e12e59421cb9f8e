/// Sizes come from hostile headers: a product that overflows becomes `Int.max`, which every limit refuses.
extension Int {
    func saturatingTimes(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    func saturatingPlus(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// Rounds up; both numbers are positive or zero, the divisor is not zero.
    func dividedRoundingUp(by divisor: Int) -> Int {
        self / divisor + (self % divisor == 0 ? 0 : 1)
    }
}
