// A storm of requests in a process of its own, whose descriptors and memory are counted. Prints what it measured, or
// ends with 1 and what did not hold.
//
// Arguments: transport, whether with a cache (true, false), how many requests, seed, a folder for the cache.
//
// Not a child of the testing library's making: that keeps the stack of every error that is thrown for as long as a test
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
