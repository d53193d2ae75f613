import Foundation

/// Packs data with the gzip program, so that what is unpacked was packed by somebody else.
enum GZip {
  static func pack(_ data: Data) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-9", "-c", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let packed = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return packed
  }
}
