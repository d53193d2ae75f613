// Draws the pictures of the articles and of the README: Scripts/pictures runs it with [--check] and a folder of outputs
// of the programs' demos, named for the programs. With --check nothing is written, and a picture that differs is an error.
import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())
let checks = arguments.first == "--check"
if checks { arguments.removeFirst() }

var files: [String: String] = [:]
for picture in fetchPictures + persistencePictures { files.merge(picture.files) { $1 } }
if let folder = arguments.first {
  for (program, count) in [("MustC", 29), ("Flickr", 30), ("BookLab", 30)] {
    let output = try String(contentsOf: URL(filePath: folder).appending(path: program), encoding: .utf8)
    let terminal = Terminal(command: "swift run \(program) demo", output: output, lines: count)
    files["Docs/Pictures/\(program).svg"] = terminal.document
  }
}

var differing: [String] = []
for (path, text) in files.sorted(by: { $0.key < $1.key }) {
  let file = URL(filePath: path)
  guard (try? String(contentsOf: file, encoding: .utf8)) != text else { continue }
  differing.append(path)
  guard !checks else { continue }
  try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  try Data(text.utf8).write(to: file)
}
for path in differing { print("\(checks ? "differs" : "written"): \(path)") }
print("\(files.count) pictures")
if checks, !differing.isEmpty {
  print("Scripts/pictures draws them again.")
  exit(1)
}
