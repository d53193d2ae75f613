import Foundation
import Testing

@testable import FetchKit

struct ReconnectionStateTests {
  private let lost = FetchError.socket(.connection(.lost, detail: ""), FetchError.Context())

  @Test func `delays double up to the maximum, and start again after a success`() {
    var state = ReconnectionState(ReconnectionPolicy())
    func delays(_ count: Int) -> [Duration?] {
      (0..<count).map { _ in state.delay(after: lost, random: 0.5, now: Date()) }
    }
    #expect(delays(7) == [0.5, 1, 2, 4, 8, 15, 15].map { .seconds($0) })
    state.noteConnection(isResumed: false, openFor: .seconds(9))
    #expect(delays(1) == [.seconds(15)])
    state.noteConnection(isResumed: false, openFor: .seconds(10))
    #expect(delays(1) == [.milliseconds(500)])
    state.noteConnection(isResumed: true, openFor: .zero)
    #expect(delays(1) == [.milliseconds(500)])
  }

  @Test func `Retry-After is a minimum, and the number of failures can be limited`() {
    var policy = ReconnectionPolicy()
    policy.maximumFailures = 2
    var state = ReconnectionState(policy)
    let busy = FetchError.status(StatusFailure(status: 503, headers: ["Retry-After": "7"]), FetchError.Context())
    #expect(state.delay(after: busy, random: 0, now: Date()) == .seconds(7))
    #expect(state.delay(after: lost, random: 0, now: Date()) == .zero)
    #expect(state.delay(after: lost, random: 0, now: Date()) == nil)
  }
}
