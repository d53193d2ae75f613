import Testing

@testable import FetchKit

@Suite struct ProgressMeterTests {
  var meter = ProgressMeter(name: "x", interval: .milliseconds(100))

  @Test mutating func `progress is reported at most once per interval, except for required reports`() {
    var reported = 0
    for millisecond in 0..<1000 where meter.note(Int64(millisecond), of: nil, at: .milliseconds(millisecond)) != nil {
      reported += 1
    }
    #expect(reported == 10)
    #expect(meter.note(1000, of: nil, at: .milliseconds(1000)) != nil)
    #expect(meter.note(1001, of: nil, at: .milliseconds(1001)) == nil)
    #expect(meter.note(1001, of: nil, at: .milliseconds(1001), mustReport: true)?.receivedBytes == 1001)
  }

  @Test mutating func `rate and remaining time are known from the second measurement on`() {
    let first = meter.note(0, of: 1000, at: .zero)
    #expect(first == DownloadProgress(name: "x", receivedBytes: 0, totalBytes: 1000))
    let second = meter.note(200, of: 1000, at: .seconds(2))
    #expect(second?.bytesPerSecond == 100)
    #expect(second?.remainingTime == .seconds(8))
    #expect(second?.fraction == 0.2)
  }

  @Test mutating func `the progress rate is that of the last seconds`() {
    for second in 0..<20 { _ = meter.note(Int64(second) * 1000, of: 100_000, at: .seconds(second)) }
    for second in 20..<26 { _ = meter.note(19_000, of: 100_000, at: .seconds(second)) }
    let progress = meter.note(19_000, of: 100_000, at: .seconds(26))
    #expect(progress?.bytesPerSecond == 0)
    #expect(progress?.remainingTime == nil, "at a rate of zero the remaining time is unknown")
  }

  @Test mutating func `without a total, or beyond it, there is no remaining time`() {
    _ = meter.note(0, of: nil, at: .zero)
    #expect(meter.note(100, of: nil, at: .seconds(1))?.remainingTime == nil)
    #expect(meter.note(200, of: 150, at: .seconds(2))?.remainingTime == nil)
    #expect(meter.note(200, of: 150, at: .seconds(3))?.fraction == 1)
    #expect(meter.note(0, of: 0, at: .seconds(4))?.fraction == 1)
  }

  @Test mutating func `starting over restarts the progress measurement`() {
    _ = meter.note(5000, of: 10_000, at: .zero)
    #expect(meter.note(100, of: 10_000, at: .seconds(1))?.bytesPerSecond == nil)
    #expect(meter.note(300, of: 10_000, at: .seconds(2))?.bytesPerSecond == 200)
  }
}
