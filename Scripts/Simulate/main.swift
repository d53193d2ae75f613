import Foundation
import SyncKit

// What Scripts/simulate runs.

func option(_ name: String) -> Int? {
  CommandLine.arguments.firstIndex(of: name).flatMap { Int(CommandLine.arguments[$0 + 1]) }
}

/// `LARDER_WITHOUT=guard` removes a guard, to see what it prevents.
let removed = Set(
  SyncGuard.allCases.filter { "\($0)" == ProcessInfo.processInfo.environment["LARDER_WITHOUT"] })

func mistake(_ seed: Int, _ steps: [Int]) -> String? {
  var simulation = Simulation(seed: UInt64(seed), without: removed)
  do { try simulation.run(steps) } catch { return "\(error)" }
  return nil
}

/// Leaves out parts, half of the steps at first and single ones in the end, as long as the run still fails.
func shortest(_ seed: Int, _ steps: [Int]) -> [Int] {
  var steps = steps
  var size = max(1, steps.count / 2)
  while true {
    let count = steps.count
    var start = 0
    while start < steps.count {
      let rest = Array(steps[..<start] + steps[min(start + size, steps.count)...])
      if mistake(seed, rest) != nil { steps = rest } else { start += size }
    }
    if size == 1, steps.count == count { return steps }
    size = max(1, size / 2)
  }
}

func show(_ seed: Int, _ steps: [Int]) {
  var simulation = Simulation(seed: UInt64(seed), without: removed)
  simulation.trace.isOn = true
  let text: String
  do {
    try simulation.run(steps)
    text = "no mistake"
  } catch { text = "\(error)" }
  print("seed \(seed), steps \(steps):\n\(simulation.abilitiesText)")
  for line in simulation.trace.lines { print("  \(line)") }
  print(text)
}

/// Prints what each kind of API comes to.
func explore(from first: Int) throws -> Bool {
  var isRight = true
  for (index, abilities) in Exploration.configurations.enumerated().dropFirst(first) {
    for losses in Exploration.twoLosses {
      var exploration = Exploration()
      try exploration.run(abilities, losses: losses, steps: [.all, .all])
      FileHandle.standardOutput.write(Data("\(index): \(exploration.report(abilities, losses))\n".utf8))
      isRight = isRight && exploration.mistake == nil
    }
  }
  return isRight
}

if let kind = option("--explore") { exit(try explore(from: kind) ? 0 : 1) }

let first = option("--seed") ?? 1
let seeds = option("--seeds") ?? .max
let seconds = option("--seconds") ?? (seeds == .max ? 60 : .max)
let steps = option("--steps") ?? 500
let start = ContinuousClock.now
var count = 0
var failed: (seed: Int, mistake: String)?
while count < seeds, ContinuousClock.now - start < .seconds(min(seconds, 1 << 40)) {
  if let text = mistake(first + count, Array(0..<steps)) {
    failed = (first + count, text)
    break
  }
  count += 1
}
let duration = (ContinuousClock.now - start) / .seconds(1)
let pace = Int(Double(count * steps) / max(duration, 0.001) * 60)
print("\(count) seeds of \(steps) steps, \(pace) steps a minute, \(failed == nil ? "no mistake" : "one mistake")")
if let failed {
  // Shortening a long run takes minutes.
  FileHandle.standardError.write(Data("seed \(failed.seed) fails, and is shortened: \(failed.mistake)\n".utf8))
  show(failed.seed, shortest(failed.seed, Array(0..<steps)))
  exit(1)
}
