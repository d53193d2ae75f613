import BenchmarkSupport

@main
enum Main {
  static func main() async {
    if CommandLine.arguments.dropFirst().first == Opening.argument { await Opening.open() }
    await runBenchmarks(
      "Persistence, 100 000 objects of seven columns, WAL, synchronous NORMAL",
      [
        .insert, .coldFetch, .warmFetch, .update, .mixedChanges, .delete, .find, .findEach,
        .persistOneFromMain, .persistOneFromTask, .persistOneWithHistory,
        .accessHot, .accessScattered, .accessFirst, .accessToOne, .walk, .memory,
        .resultsOneChange, .followCommit, .select,
      ] + Benchmark.pendingEdits + Benchmark.relationships + Benchmark.searching + Benchmark.readersAndWriter
        + Benchmark.resultsManyChanges
        + Benchmark.bulk
        + Benchmark.millionRows + Benchmark.millionChanges + [Opening.row])
  }
}
