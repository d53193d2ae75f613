import BenchmarkSupport

@main
enum Main {
  static func main() async {
    await runBenchmarks(
      "Persistence, 100 000 objects of seven columns, WAL, synchronous NORMAL",
      [.insert, .coldFetch])
  }
}
