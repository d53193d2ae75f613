#if os(Linux)
import Testing

@testable import FetchKit

@Suite struct CurlTransferStateTests {
  /// What happens to a transfer, one letter each:
  ///
  /// `s`tart, `c`ancel, `o`pen a socket, `w`: no socket may be opened, `a`ttempt, `r`: attempt that may be repeated,
  /// `1`: the stream of the attempt is the first on its connection, `3`: another one, `u`nprocessed, `e`: unprocessed
  /// with an error code, `h`ead, `m`ove, `i`: is complete, `f`ail, `K`: libcurl reports success, `X`: an error, `E`nd.
  private func run(_ story: String) -> (CurlTransferState, String) {
    var state = CurlTransferState()
    var outcomes = ""
    var hasHead = false
    for letter in story {
      switch letter {
      case "s": outcomes += state.start() ? "" : "!"
      case "c": outcomes += state.cancel() ? "c" : "-"
      case "o": state.open(isAllowed: true)
      case "w": state.open(isAllowed: false)
      case "a", "r": outcomes += state.attempt(on: CurlTransferState.Connection(), mayRepeat: letter == "r") ? "a" : "x"
      case "1", "3": state.note(CurlTransferState.Stream(id: letter == "1" ? 1 : 3, session: nil))
      case "u": state.noteUnprocessed()
      case "e": state.noteUnprocessed(11)
      case "h":
        state.answer()
        hasHead = true
      case "m": state.stop(.mustMove(toNew: false))
      case "i": state.stop(.isComplete)
      case "f": state.stop(.failed(.timeout(.idle)))
      case "K", "X":
        switch state.reported(isSuccess: letter == "K", hasHead: hasHead) {
        case .wait: outcomes += "W"
        case .move: outcomes += "M"
        case .complete: outcomes += "C"
        case .failed: outcomes += "F"
        case .asReported: outcomes += "R"
        }
      default: outcomes += state.end() ? "" : "?"
      }
    }
    return (state, outcomes)
  }

  @Test(arguments: [
    ("saohK", "aR"), ("saX", "aR"), ("sX", "R"),
    // Cancelled before it starts, while it runs, and after its end.
    ("cs", "-!"), ("sc", "c"), ("sac", "ac"), ("sahc", "ac"), ("sfc", "c"), ("sEc", "-"), ("ss", "!"), ("sEE", "?"),
    // In line for a connection: refused at one address, allowed at the next.
    ("swX", "W"), ("swXoahK", "WaR"), ("swoaX", "aR"), ("swK", "R"), ("sawX", "aW"),
    // A connection that cannot be used.
    ("smX", "M"), ("smXahK", "MaR"),
    // The first stop counts if it is an error.
    ("sfwX", "F"), ("sfmX", "F"), ("sfiX", "F"), ("sahiX", "aC"), ("sfaX", "xF"),
    // Sent again: only if that is harmless, or the server has promised something.
    ("saa", "ax"), ("sar", "aa"), ("saua", "aa"), ("sauaa", "aax"), ("srrr", "aaa"),
    // Unprocessed: once more if it was the first on its connection, and not with an error code.
    ("sa1uX", "aM"), ("sa1uXa1uX", "aMaF"), ("sa3uXa3uXa3uX", "aMaMaM"), ("sa1eX", "aF"), ("sa3eX", "aF"),
    // No restart without another attempt, or once a response has begun.
    ("sauXX", "aMR"), ("sauhX", "aR"),
  ])
  func `the story of a transfer has its end`(story: String, expected: String) {
    #expect(run(story).1 == expected, "\(story)")
  }

  @Test func `a request that always loses its connection to others is sent at most thirty times`() {
    let (state, outcomes) = run("s" + String(repeating: "a3uX", count: 30))
    #expect(outcomes == String(repeating: "aM", count: 29) + "aR")
    #expect(state.attempts == 30)
  }

  @Test func `a transfer is on a connection from the attempt to the end`() {
    #expect(run("s").0.connection == nil)
    #expect(run("sa").0.connection != nil)
    #expect(run("sa3").0.connection?.stream?.id == 3)
    #expect(run("sah").0.connection != nil)
    #expect(run("saf").0.connection == nil)
    #expect(run("sauX").0.connection == nil)
    #expect(run("sahE").0.connection == nil)
  }
}
#endif
