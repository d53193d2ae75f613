import Foundation
import Testing

@testable import FetchKit

/// Time drawn as text: one character is a second, above what happens, below what comes of it.
///
/// `s` started, `x` stopped, `d` demanded, `u` a run ended unchanged, `f` it failed; `R` a run begins.
@Suite struct PeriodicScheduleTests {
  func draw(
    _ events: String, every interval: Int = 4, chance: Double = 0,
    _ configure: (inout PeriodicRefresh.Configuration) -> Void = { _ in }
  ) -> String {
    var configuration = PeriodicRefresh.Configuration(interval: .seconds(interval))
    configuration.jitter = 0
    configure(&configuration)
    var schedule = PeriodicSchedule(configuration)
    var sleep: (due: Int, token: Int)?
    var drawn = ""
    for (second, event) in events.enumerated() {
      let now = Duration.seconds(second)
      var runs = 0
      func perform(_ action: PeriodicSchedule.Action) {
        switch action {
        case .none: break
        case .sleep(let duration, let token): sleep = (second + Int(duration.components.seconds), token)
        case .cancelSleep: sleep = nil
        case .run:
          sleep = nil
          runs += 1
        }
      }
      if let due = sleep, due.due <= second {
        sleep = nil
        perform(schedule.wake(due.token))
      }
      switch event {
      case "s": perform(schedule.start(at: now, chance: chance))
      case "x": perform(schedule.stop())
      case "d": perform(schedule.demand())
      case "u": perform(schedule.finish(.noData, at: now, chance: chance))
      case "f": perform(schedule.finish(.failed, at: now, chance: chance))
      default: break
      }
      drawn += runs == 0 ? "-" : runs == 1 ? "R" : "!"
    }
    return drawn
  }

  @Test func `it runs at the start and an interval after the end of each run`() {
    #expect(draw("s-u-----u------") == "R-----R-----R--")
  }

  @Test func `without a run at the start it waits for an interval`() {
    #expect(draw("s------") { $0.runsAtStart = false } == "----R--")
  }

  @Test func `it never overlaps, however long a run takes`() {
    #expect(draw("s-----------u----") == "R---------------R")
  }

  @Test func `a demand runs at once, and the interval begins anew`() {
    #expect(draw("s-u-d-u----") == "R---R-----R")
  }

  @Test func `a demand during a run begins no other`() {
    #expect(draw("sd-du-----") == "R-------R-")
  }

  @Test func `a demand is met while stopped, and nothing follows`() {
    #expect(draw("-d-u-------") == "-R---------")
  }

  @Test func `nothing begins after the stop`() {
    #expect(draw("s-u-x------") == "R----------")
    #expect(draw("s-x-u------") == "R----------")
  }

  @Test func `a start takes up the interval where it stood`() {
    #expect(draw("s-uxs-----") == "R-----R---")
    #expect(draw("s-ux------s") == "R---------R")
  }

  @Test func `a start during a run waits for its end`() {
    #expect(draw("s-xs--u-----") == "R---------R-")
  }

  @Test func `starting twice and stopping twice change nothing`() {
    #expect(draw("ss-u---sxx--") == "R------R----")
  }

  @Test func `failures make the interval grow up to the longest, and a success sets it back`() {
    let configure: (inout PeriodicRefresh.Configuration) -> Void = {
      $0.longestInterval = .seconds(6)
      $0.backoff = 2
    }
    // 4 s after the first, 6 s after the next two, 2 s after the success.
    #expect(draw("sf----f------f------u---", every: 2, configure) == "R----R------R------R--R-")
  }

  @Test func `chance stretches and shortens by no more than the jitter`() {
    let half: (inout PeriodicRefresh.Configuration) -> Void = { $0.jitter = 0.5 }
    #expect(draw("su-------", chance: 1, half) == "R------R-")
    #expect(draw("su-------", chance: -1, half) == "R--R-----")
    #expect(draw("su-------", chance: -40, half) == "R--R-----")
  }

  @Test func `many failures do not overflow`() {
    var configuration = PeriodicRefresh.Configuration(interval: .seconds(1))
    configuration.backoff = 1e18
    configuration.longestInterval = .seconds(3600)
    configuration.jitter = 0
    var schedule = PeriodicSchedule(configuration)
    #expect(schedule.start(at: .zero, chance: 0) == .run)
    for second in 1...200 {
      let action = schedule.finish(.failed, at: .seconds(second), chance: 0)
      guard case .sleep(let wait, let token) = action, wait <= .seconds(3600) else {
        Issue.record("\(action)")
        return
      }
      #expect(schedule.wake(token) == .run)
    }
  }
}
