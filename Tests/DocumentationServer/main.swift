import FetchKit
import FetchKitTesting
import Foundation

// Serves a folder on this machine: DocumentationServer FOLDER PORT. What Scripts/docs --serve runs.
let arguments = CommandLine.arguments
guard arguments.count == 3, let port = UInt16(arguments[2]) else {
  print("usage: DocumentationServer FOLDER PORT")
  exit(2)
}
let root = URL(filePath: arguments[1]).standardizedFileURL
let types = [
  "html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript", "json": "application/json",
  "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
]

do {
  let server = try LoopbackServer(port: port)
  server.on("*") { request in
    var file = root.appending(path: request.path).standardizedFileURL
    guard file.path == root.path || file.path.hasPrefix(root.path + "/") else { return .status(404) }
    if file.pathExtension.isEmpty { file.append(path: "index.html") }
    guard let data = try? Data(contentsOf: file) else { return .status(404) }
    var response = LoopbackResponse.data(data)
    response.headers["Content-Type"] = types[file.pathExtension] ?? "application/octet-stream"
    return response
  }
  // Not by print, which keeps it back where standard output is a pipe.
  try FileHandle.standardOutput.write(contentsOf: Data("\(server.url.absoluteString), until Ctrl-C\n".utf8))
  while true { try await Task.sleep(for: .seconds(3600)) }
} catch {
  print("cannot serve on port \(port): \(error)")
  exit(1)
}
