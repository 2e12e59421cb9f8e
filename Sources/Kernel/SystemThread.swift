import Glibc

/// A thread of its own for work that blocks, or that has to stay on one thread.
public struct SystemThread: ~Copyable {
    private let thread: pthread_t

    /// pthread_create(3).
    public static func start(_ body: @escaping @Sendable () -> Void) throws(Errno) -> SystemThread {
        let argument = Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        let error = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        if error != 0 {
            argument.release()
            throw Errno(rawValue: error)
        }
        return SystemThread(thread: thread)
    }

    private init(thread: pthread_t) {
        self.thread = thread
    }

    deinit {
        pthread_detach(thread)
    }

    /// Lets the thread run on by itself: pthread_detach(3).
    public consuming func detach() {}

    /// Waits for its end: pthread_join(3).
    public consuming func join() {
        pthread_join(thread, nil)
        discard self
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
