import Foundation
import Testing

@testable import FetchKit

/// Time drawn as text: one character is a second, with the inputs above and their results below.
///
/// `s` started, `x` stopped, `d` requested, `u` a run ended unchanged, `f` it failed; `R` a run begins.
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

  @Test func `the schedule runs at the start and one interval after the end of each run`() {
    #expect(draw("s-u-----u------") == "R-----R-----R--")
  }

  @Test func `without a run at the start the schedule waits for one interval`() {
    #expect(draw("s------") { $0.runsImmediately = false } == "----R--")
  }

  @Test func `scheduled runs never overlap, however long a run takes`() {
    #expect(draw("s-----------u----") == "R---------------R")
  }

  @Test func `a requested run starts immediately and restarts the interval`() {
    #expect(draw("s-u-d-u----") == "R---R-----R")
  }

  @Test func `a request during a run starts no other run`() {
    #expect(draw("sd-du-----") == "R-------R-")
  }

  @Test func `a request to a stopped schedule causes one run and no further ones`() {
    #expect(draw("-d-u-------") == "-R---------")
  }

  @Test func `a stopped schedule starts no run`() {
    #expect(draw("s-u-x------") == "R----------")
    #expect(draw("s-x-u------") == "R----------")
  }

  @Test func `a restart continues the interval where it stopped`() {
    #expect(draw("s-uxs-----") == "R-----R---")
    #expect(draw("s-ux------s") == "R---------R")
  }

  @Test func `a restart during a run waits for the end of the run`() {
    #expect(draw("s-xs--u-----") == "R---------R-")
  }

  @Test func `starting or stopping a schedule twice has no further effect`() {
    #expect(draw("ss-u---sxx--") == "R------R----")
  }

  @Test func `failures lengthen the interval up to its maximum, and a success resets it`() {
    let configure: (inout PeriodicRefresh.Configuration) -> Void = {
      $0.maxInterval = .seconds(6)
      $0.backoff = 2
    }
    // 4 s after the first, 6 s after the next two, 2 s after the success.
    #expect(draw("sf----f------f------u---", every: 2, configure) == "R----R------R------R--R-")
  }

  @Test func `random jitter changes an interval by no more than its limit`() {
    let half: (inout PeriodicRefresh.Configuration) -> Void = { $0.jitter = 0.5 }
    #expect(draw("su-------", chance: 1, half) == "R------R-")
    #expect(draw("su-------", chance: -1, half) == "R--R-----")
    #expect(draw("su-------", chance: -40, half) == "R--R-----")
  }

  @Test func `many failures do not overflow the interval`() {
    var configuration = PeriodicRefresh.Configuration(interval: .seconds(1))
    configuration.backoff = 1e18
    configuration.maxInterval = .seconds(3600)
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
