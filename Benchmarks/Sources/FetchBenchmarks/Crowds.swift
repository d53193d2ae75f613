import BenchmarkSupport
import FetchKit
import Foundation

extension Benchmark {
  /// Thousands of requests that are not answered.
  static var crowds: [Benchmark] { [hanging, cancels] }

  private static var hanging: Benchmark {
    let crowd = Crowd()
    return Benchmark("one request while 5 000 others hang, against none", unit: "×", must: 10, goal: 6) {
      let alone = try OurTransport.shared.get().transport
      let crowded = try await crowd.transport(hanging: 5000)
      let request = TransportRequest(.get, try Server.url("/1k"))
      let (without, with) = (try await median(of: request, alone), try await median(of: request, crowded))
      return with / without
    }
  }

  private static func median(of request: TransportRequest, _ transport: CurlTransport) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<500 { times.append(try await asyncMilliseconds { _ = try await transport.send(request) }) }
    return times.median
  }

  private static var cancels: Benchmark {
    Benchmark("10 000 cancels in flight", unit: "ms", must: 1000, goal: 300) {
      // A small crowd first: what a process opens once and keeps, its timers among it, is nothing left over.
      let start = try ThisProcess.open
      _ = try await disperse(100)
      _ = try await ThisProcess.left(beyond: start)
      let before = try ThisProcess.open
      let time = try await disperse(10_000)
      let left = try await ThisProcess.left(beyond: before)
      guard left.isEmpty else { throw WrongResult("left over: \(left.joined(separator: ", "))") }
      return time
    }
  }

  /// Milliseconds from the first cancel to the last request's end.
  private static func disperse(_ count: Int) async throws -> Double {
    let crowd = Crowd()
    _ = try await crowd.transport(hanging: count)
    var time = 0.0
    let outcomes = try await crowd.end(time: &time)
    guard outcomes == count else { throw WrongResult("\(outcomes) of \(count) ended as cancelled") }
    return time
  }
}

/// A transport with requests on it that hang, each on a connection of its own.
private final class Crowd {
  private var tasks: [Task<Bool, Never>] = []
  private var crowded: CurlTransport?

  func transport(hanging count: Int) async throws -> CurlTransport {
    if let crowded { return crowded }
    let transport = try CurlTransport()
    crowded = transport
    var request = TransportRequest(.get, try Server.url("/hang"))
    request.timeouts = Timeouts(connect: nil, idle: nil, total: nil)
    let before = try ThisProcess.openDescriptors
    let enough = count - min(10, count / 10)  // descriptors of others may have closed meanwhile
    tasks = (0..<count).map { _ in
      Task { [request] in
        do throws(TransportError) {
          _ = try await transport.send(request)
          return false
        } catch {
          if case .cancelled = error { return true }
          return false
        }
      }
    }
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let open = try ThisProcess.openDescriptors - before
      if open >= enough { break }
      guard .now < deadline else { throw WrongResult("only \(open) of \(count) connections stand") }
      try await Task.sleep(for: .milliseconds(5))
    }
    return transport
  }

  /// Cancels all, and returns how many ended as cancelled; `time` is what it took until the last one had, in
  /// milliseconds.
  func end(time: inout Double) async throws -> Int {
    var cancelled = 0
    time = await asyncMilliseconds {
      for task in tasks { task.cancel() }
      for task in tasks where await task.value { cancelled += 1 }
    }
    tasks = []
    crowded = nil
    return cancelled
  }

  deinit {
    for task in tasks { task.cancel() }
  }
}
