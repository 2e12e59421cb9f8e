internal import CPipeline

/// Keeps the calling thread, and the threads that are started meanwhile, on the processor that it runs on.
///
/// dav1d starts as many threads as it may use processors, each with frames of its own, and libheif gives no way to ask
/// for fewer. A 10-bit AVIF of 20.6 megapixels took 559 MB and 1,260 ms of CPU with two processors, and 289 MB and
/// 860 ms with one; with more it would take still more. Jobs run in parallel already.
enum OneCPU {
    /// Where a sandbox does not allow it, the body runs all the same.
    static func run<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var before = AffinityBefore()
        let narrowed = affinity_narrow(&before) == 0
        defer { if narrowed { affinity_restore(&before) } }
        return try body()
    }
}
