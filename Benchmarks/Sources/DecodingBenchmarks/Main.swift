import BenchmarkSupport

@main
enum Main {
  static func main() async {
    // The child that measures how much memory a stream takes.
    if CommandLine.arguments.dropFirst().first == PhotoStream.childArgument { await PhotoStream.runChild() }
    await runBenchmarks(
      "Decoding, against Foundation's coders unless said, documents: \(Documents.origin), shapes: seed \(Shapes.seed)",
      [
        .lateValue, .lateValueTrusted, .earlySubtree,
        .twitter, .catalog, .map, .photos, .reorderedPhotos, .person,
        .integers, .doubles, .shortDoubles, .strings, .dictionary, .manyKeys, .anyValue,
      ] + Benchmark.allocations + [
        .nestedOnFoundation, .nestedOnOurs, .filter, .expression, .descendants,
        .streaming, .streamingMemory, .failingType, .failingName,
      ] + Benchmark.helpers + Benchmark.foundationTypes + Benchmark.shapes + Benchmark.msgspec + Benchmark.attacks)
  }
}
