import BenchmarkSupport
import Decoding

extension Benchmark {
  static var integers: Benchmark {
    .decoding("[Int] of 100 000", [Int].self, Documents.integers, repeats: 2, must: 30, goal: 45)
  }

  static var doubles: Benchmark {
    .decoding("[Double] of 100 000, 17 digits", [Double].self, Documents.doubles, repeats: 2, must: 20, goal: 30)
  }

  static var shortDoubles: Benchmark {
    .decoding("[Double] of 100 000, 2 decimals", [Double].self, Documents.shortDoubles, repeats: 2, must: 20, goal: 30)
  }

  static var strings: Benchmark {
    .decoding("[String] of 100 000", [String].self, Documents.strings, repeats: 2, must: 5.5, goal: 8)
  }

  static var dictionary: Benchmark {
    .decoding("[String: Int] of 100 000", [String: Int].self, Documents.dictionary, repeats: 1, must: 2.5, goal: 5)
  }

  static var manyKeys: Benchmark {
    .decoding(
      "16 000 keys asked from last to first", ManyKeys.self, Documents.manyKeys, repeats: 1, must: 1, goal: 3)
  }

  static var anyValue: Benchmark {
    .decoding(
      "a try? ladder: twitter.json as any values", AnyValue.self, Documents.twitter, repeats: 1, must: 1, goal: 2.5)
  }
}
