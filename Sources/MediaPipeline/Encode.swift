internal import AttachmentRules
internal import JobProtocol
internal import Vips

/// The fourth step: JPEG within the byte budget, at the highest quality that fits, from pixels in memory.
///
/// Baseline coding while the asked quality fits with it. Otherwise progressive coding, which takes 4 to 6 % fewer
/// bytes and buys about two steps of quality with them.
enum Encode {
    /// Below this long edge, in pixels, a picture is not worth sending any more: it is refused instead.
    static let smallestLongEdge = 64

    /// What was encoded, and how it came to it.
    struct Outcome {
        /// Holds the pixels that were encoded and the result.
        let encoder: Encoder
        let result: Encoder.Encoded
        let reason: Rendition.Reason
        /// Encodes that were made.
        let attempts: Int

        var rendition: Rendition {
            Rendition(
                size: PlannedSize(width: encoder.pixels.width, height: encoder.pixels.height),
                bytes: result.blob.count, quality: result.quality, isProgressive: result.isProgressive,
                attempts: attempts, reason: reason, libvips: Vips.version)
        }

        /// One more encode that shows what the next quality takes; nil when that would be more than was asked for.
        func proof(upTo asked: Int) throws(Rejection) -> Rendition.Proof? {
            guard result.quality < asked else { return nil }
            do throws(VipsError) {
                let quality = result.quality + 1
                let bytes = try encoder.measure(quality: quality, progressive: result.isProgressive)
                return Rendition.Proof(quality: quality, bytes: bytes)
            } catch {
                throw .unencodable(error)
            }
        }
    }

    static func toFit(_ pixels: consuming Pixels, recipe: Recipe) throws(Rejection) -> Outcome {
        let doesNotFit: Rejection
        do throws(VipsError) {
            let planned = try Encoder(pixels, budget: recipe.maxBytes)
            let plain = try planned.encode(quality: recipe.quality, progressive: false)
            if let encoded = planned.best {
                return Outcome(encoder: planned, result: encoded, reason: .asAsked, attempts: 1)
            }
            switch try progressive(planned, baseline: plain, recipe) {
            case .success(let outcome): return outcome
            case .failure(let rejection): doesNotFit = rejection
            }
        } catch {
            throw .unencodable(error)
        }
        throw doesNotFit
    }

    /// Lowers the quality down to the floor, then the pixels, always from the planned ones.
    private static func progressive(
        _ planned: Encoder, baseline: Int, _ recipe: Recipe
    ) throws(VipsError) -> Result<Outcome, Rejection> {
        let floor = min(recipe.qualityFloor, recipe.quality)
        let search = BudgetSearch(budget: recipe.maxBytes, qualities: floor...recipe.quality)
        // Progressive coding took 4 % fewer bytes than baseline where that is over the budget (median of 21 pictures).
        var hint = BudgetSearch.Sample(quality: recipe.quality, bytes: baseline * 96 / 100)
        var encoder = planned
        var attempts = 1
        while true {
            let current = encoder
            let outcome = try search.run(hint: hint) { quality throws(VipsError) in
                try current.encode(quality: quality, progressive: true)
            }
            attempts += outcome.encodes
            if let encoded = encoder.best {
                let reason: Rendition.Reason =
                    encoder !== planned
                    ? .pixelsLowered
                    : encoded.quality < recipe.quality ? .qualityLowered : .asAsked
                return .success(Outcome(encoder: encoder, result: encoded, reason: reason, attempts: attempts))
            }
            let smallest = outcome.tooLarge?.bytes ?? baseline
            guard let next = smaller(encoder, smallest, recipe) else {
                return .failure(.doesNotFit(encoder.pixels, quality: floor, bytes: smallest, recipe))
            }
            hint = BudgetSearch.Sample(quality: floor, bytes: recipe.maxBytes)
            encoder = try Encoder(planned.pixels.resized(to: next), budget: recipe.maxBytes)
        }
    }

    /// The size at which the quality floor should just fit: bytes follow the number of pixels. nil below the smallest.
    private static func smaller(_ encoder: Encoder, _ bytes: Int, _ recipe: Recipe) -> PlannedSize? {
        let (width, height) = (encoder.pixels.width, encoder.pixels.height)
        let long = max(width, height)
        guard long > smallestLongEdge else { return nil }
        let scale = min((Double(recipe.maxBytes) / Double(bytes)).squareRoot(), 0.95)
        let edge = max(Double(smallestLongEdge), (Double(long) * scale).rounded(.down))
        func scaled(_ value: Int) -> Int { max(Int((Double(value) * edge / Double(long)).rounded()), 1) }
        return PlannedSize(width: scaled(width), height: scaled(height))
    }
}

extension Pixels {
    /// A smaller copy.
    fileprivate borrowing func resized(to size: PlannedSize) -> Pixels {
        var resampler = Resampler(
            width: width, height: height, bands: bands, targetWidth: size.width, targetHeight: size.height)
        for y in 0..<height {
            resampler.add(row: row(y))
        }
        return resampler.finish()
    }
}

extension Rejection {
    /// Not even the smallest picture at the lowest quality fits.
    fileprivate static func doesNotFit(
        _ pixels: borrowing Pixels, quality: Int, bytes: Int, _ recipe: Recipe
    ) -> Rejection {
        Rejection(
            .doesNotFit, rule: .overTarget, stage: .encode,
            "At \(pixels.width)x\(pixels.height) pixels and quality \(quality) the picture still takes \(bytes) bytes "
                + "where \(recipe.maxBytes) bytes are allowed; allow more bytes.")
    }

    /// The encoder itself failed, which no picture should bring about.
    static func unencodable(_ error: VipsError) -> Rejection {
        Rejection(
            .verifyFailed, rule: .doesNotDecode, stage: .encode, "The result could not be encoded (\(error.detail)).")
    }
}
