import BenchmarkSupport
import Foundation

@main
enum Main {
  static func main() async {
    if CommandLine.arguments.dropFirst().first == Server.childArgument { await Server.serve() }
    if CommandLine.arguments.dropFirst().first == SocketServer.childArgument { await SocketServer.serve() }
    if CommandLine.arguments.dropFirst().first == KilledDownload.childArgument { await KilledDownload.download() }
    await runBenchmarks(
      "FetchKit, on loopback from \(Server.kind)",
      Benchmark.pipeline + Benchmark.cache + Benchmark.smallRequests + Benchmark.protocols + Benchmark.largeBodies
        + Benchmark.crowds + Benchmark.flows + Benchmark.downloads + Benchmark.sockets)
  }
}
