import BenchmarkSupport

extension Benchmark {
  /// What is built on fetches: refreshes, searches, pages.
  static var flows: [Benchmark] { [] }
}
