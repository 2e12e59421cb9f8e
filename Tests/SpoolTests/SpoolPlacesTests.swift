import Kernel
import Spool
import Testing

@Suite struct SpoolPlacesTests {
    @Test("the inbox and the outbox lie in the root unless they are elsewhere")
    func standard() {
        #expect(SpoolPlaces(root: "/srv").inbox == "/srv/inbox")
        #expect(SpoolPlaces(root: "/srv").outbox == "/srv/outbox")
        #expect(SpoolPlaces(root: "/srv", inbox: "/in", outbox: "/out").inbox == "/in")
        #expect(SpoolPlaces(root: "/srv", inbox: "/in", outbox: "/out").outbox == "/out")
    }
}
