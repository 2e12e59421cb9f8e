internal import CGLib
internal import Glibc

/// The options of one subcommand, read by GLib's GOption.
///
/// GOption writes to the places it is given while it parses; they live as long as the process, which parses once.
struct OptionTable {
    private var options: [Option] = []
    private let remaining = Self.place(UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.none)

    /// Adds an option that takes no value.
    mutating func flag(_ name: String, short: Character? = nil, _ help: String) -> Flag {
        let flag = Flag(place: Self.place(gboolean(0)))
        add(name, short: short, G_OPTION_ARG_NONE, flag.place, help, argument: nil)
        return flag
    }

    /// Adds an option that takes a whole number.
    mutating func number(_ name: String, argument: String, _ help: String) -> Number {
        let number = Number(name: name, place: Self.place(Number.unset))
        add(name, short: nil, G_OPTION_ARG_INT, number.place, help, argument: argument)
        return number
    }

    /// Adds an option that takes text or a path, which may be any bytes.
    mutating func bytes(
        _ name: String, short: Character? = nil, argument: String, _ help: String
    ) -> Bytes {
        let bytes = Bytes(place: Self.place(UnsafeMutablePointer<CChar>?.none))
        add(name, short: short, G_OPTION_ARG_FILENAME, bytes.place, help, argument: argument)
        return bytes
    }

    /// Adds an option that takes text or a path each time that it is given.
    mutating func list(_ name: String, argument: String, _ help: String) -> List {
        let list = List(place: Self.place(UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.none))
        add(name, short: nil, G_OPTION_ARG_FILENAME_ARRAY, list.place, help, argument: argument)
        return list
    }

    /// Reads the arguments after the subcommand; `--help` prints and ends the process.
    ///
    /// - Returns: what is no option, each as its bytes.
    func parse(
        _ arguments: [[UInt8]], program: String, operands: String, summary: String, description: String
    ) throws(UsageError) -> [[UInt8]] {
        g_set_prgname(program)
        let context = g_option_context_new(operands)
        defer { g_option_context_free(context) }
        g_option_context_set_summary(context, summary)
        g_option_context_set_description(context, description)
        let column = Option.indent + options.reduce(Option.helpWidth) { max($0, $1.width) } + Option.gap
        let rest = GOptionEntry(
            long_name: Self.text(""), short_name: 0, flags: 0, arg: G_OPTION_ARG_FILENAME_ARRAY,
            arg_data: UnsafeMutableRawPointer(remaining), description: nil, arg_description: nil)
        let entries = options.map { $0.entry(helpFrom: column) } + [rest, GOptionEntry()]
        g_option_context_add_main_entries(context, entries, nil)

        let strings = ([Array(program.utf8)] + arguments).map { Self.duplicate($0) }
        var vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: strings.count + 1)
        vector?.initialize(from: strings + [nil], count: strings.count + 1)
        var error: UnsafeMutablePointer<GError>?
        guard g_option_context_parse_strv(context, &vector, &error) != 0 else {
            defer { g_error_free(error) }
            throw UsageError(message: error.map { String(cString: $0.pointee.message) } ?? "unreadable options")
        }
        return List(place: remaining).values
    }

    private mutating func add(
        _ name: String, short: Character?, _ kind: GOptionArg, _ place: UnsafeMutableRawPointer,
        _ help: String, argument: String?
    ) {
        options.append(Option(name: name, short: short, kind: kind, place: place, help: help, argument: argument))
    }

    private static func duplicate(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        bytes.withUnsafeBytes { g_strndup($0.bindMemory(to: CChar.self).baseAddress, gsize($0.count)) }
    }

    /// A copy for GOption, which lives as long as the places do.
    private static func text(_ string: String) -> UnsafePointer<CChar>? {
        strdup(string).map { UnsafePointer($0) }
    }

    private static func place<Value: BitwiseCopyable>(_ value: Value) -> UnsafeMutablePointer<Value> {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        return place
    }

    private struct Option {
        var name: String
        var short: Character?
        var kind: GOptionArg
        var place: UnsafeMutableRawPointer
        var help: String
        var argument: String?

        /// How GOption lays out its help: in front of an option, of `-h, --help`, and behind the widest of all.
        static let indent = 2
        static let helpWidth = 10
        static let gap = 5

        /// Of `-o, --output=DIR`.
        var width: Int { (short == nil ? 0 : 4) + 2 + name.count + (argument.map { 1 + $0.count } ?? 0) }

        func entry(helpFrom column: Int) -> GOptionEntry {
            GOptionEntry(
                long_name: OptionTable.text(name), short_name: gchar(short?.asciiValue ?? 0), flags: 0, arg: kind,
                arg_data: place, description: OptionTable.text(HelpText.wrapped(help, from: column)),
                arg_description: argument.flatMap(OptionTable.text))
        }
    }

    /// Whether an option without a value was given.
    struct Flag {
        fileprivate let place: UnsafeMutablePointer<gboolean>
        var isSet: Bool { place.pointee != 0 }
    }

    /// What was given for a number.
    struct Number {
        fileprivate static let unset = gint.min
        fileprivate let name: String
        fileprivate let place: UnsafeMutablePointer<gint>

        /// The number given, held against what makes sense, or `standard` when there was none.
        func value(in range: ClosedRange<Int>, standard: Int) throws(UsageError) -> Int {
            guard place.pointee != Self.unset else { return standard }
            guard range.contains(Int(place.pointee)) else {
                throw UsageError(
                    message: "--\(name) takes \(range.lowerBound) to \(range.upperBound), not \(place.pointee)")
            }
            return Int(place.pointee)
        }
    }

    /// What was given for text or a path.
    struct Bytes {
        fileprivate let place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        var value: [UInt8]? { place.pointee.map(Self.copy) }

        fileprivate static func copy(_ string: UnsafeMutablePointer<CChar>) -> [UInt8] {
            Array(UnsafeRawBufferPointer(start: string, count: strlen(string)))
        }
    }

    /// What was given for texts or paths.
    struct List {
        fileprivate let place: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
        var values: [[UInt8]] {
            var values: [[UInt8]] = []
            var next = place.pointee
            while let string = next?.pointee {
                values.append(Bytes.copy(string))
                next = next?.advanced(by: 1)
            }
            return values
        }
    }
}
