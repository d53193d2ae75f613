// A storm of requests in its own process, whose descriptors and memory are counted. Prints the measurements, or
// exits with 1 and the failed check.
//
// Arguments: transport, whether with a cache (true, false), how many requests, seed, a folder for the cache.
//
// Not an exit test of the testing library: that retains the stack of every thrown error for as long as a test
// runs, some hundred bytes each, and tasks that are cancelled while they sleep throw.

import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 6, let transport = TransportName(rawValue: arguments[1]), let keeps = Bool(arguments[2]),
  let count = Int(arguments[3]), let seed = UInt64(arguments[4])
else {
  print("usage: StormProbe transport keeps count seed folder")
  exit(64)
}

do {
  let storm = Storm(
    transport: transport, keeps: keeps, count: count, seed: seed,
    folder: URL(filePath: arguments[5], directoryHint: .isDirectory))
  print(try await storm.run())
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
