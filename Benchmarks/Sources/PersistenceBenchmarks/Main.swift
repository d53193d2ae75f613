import BenchmarkSupport

@main
enum Main {
  static func main() async {
    await runBenchmarks(
      "Persistence, 100 000 objects of seven columns, WAL, synchronous NORMAL",
      [
        .insert, .coldFetch, .warmFetch, .update, .delete, .find, .findEach, .persistOneFromMain, .persistOneFromTask,
        .accessHot, .accessScattered, .accessFirst, .accessToOne, .walk, .memory,
        .resultsOneChange, .resultsManyChanges, .followCommit,
      ] + Benchmark.bulk)
  }
}
