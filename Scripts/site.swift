// Makes a catalogue of README and Docs: site CATALOG MODULE…. Links between files become links between pages; a link to a
// file that is no page becomes its text.
import Foundation

let catalog = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
let modules = CommandLine.arguments.dropFirst(2)
let names = try FileManager.default.contentsOfDirectory(atPath: "Docs").filter { $0.hasSuffix(".md") }
  .map { String($0.dropLast(3)) }.sorted()

/// The page of a file of the repository; nil if it has none.
func page(of path: String) -> String? {
  let name = String(path.split(separator: "/").last?.split(separator: ".").first ?? "")
  if path == "README.md" { return "doc:Larder" }
  if path == "Docs/\(name).md", names.contains(name) { return "doc:\(name)" }
  for module in modules where path == "Sources/\(module)/\(module).docc/\(name).md" {
    return name == module ? "doc:/\(module)" : "doc:/\(module)/\(name)"
  }
  return nil
}

/// The text with its links, those in code excepted.
func linked(_ text: String, in folder: String) -> String {
  var isCode = false
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
    if line.hasPrefix("```") { isCode.toggle() }
    guard !isCode else { return String(line) }
    return String(line).replacing(#/(!?)\[([^\[\]]*)\]\(([^)\s]+)\)/#) { match in
      let (text, target) = (String(match.2), String(match.3))
      guard !target.contains("://") else { return String(match.0) }
      let file = String(target.prefix { $0 != "#" })
      if file.isEmpty { return text }
      let path = URL(filePath: "/\(folder)\(file)").standardized.path.dropFirst()
      if !match.1.isEmpty { return "![\(text)](\(path.split(separator: "/").last ?? ""))" }
      guard let page = page(of: String(path)) else { return text }
      return "[\(text)](\(page))"
    }
  }
  return lines.joined(separator: "\n")
}

func write(_ text: String, _ name: String) throws {
  try Data(text.utf8).write(to: catalog.appending(path: name))
}

try FileManager.default.createDirectory(
  at: catalog.appending(path: "Resources"), withIntermediateDirectories: true)
for name in names {
  try write(linked(try String(contentsOfFile: "Docs/\(name).md", encoding: .utf8), in: "Docs/"), "\(name).md")
}
for picture in try FileManager.default.contentsOfDirectory(atPath: "Docs/Pictures") {
  let copy = catalog.appending(path: "Resources/\(picture)")
  try FileManager.default.copyItem(at: URL(filePath: "Docs/Pictures/\(picture)"), to: copy)
}

// The README is the front page. DocC has no HTML, and its own way to say which page is the first.
let readme = linked(try String(contentsOfFile: "README.md", encoding: .utf8), in: "")
  .split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("<") }.joined(separator: "\n")
let essentials = ["Tutorial", "Cookbook", "FAQ", "Testing"]
let topics = """

  ## Topics

  ### Modules

  \(modules.map { "- ``/\($0)``" }.joined(separator: "\n"))

  ### Essentials

  \(essentials.map { "- <doc:\($0)>" }.joined(separator: "\n"))

  ### Why things are as they are

  \(names.filter { !essentials.contains($0) }.map { "- <doc:\($0)>" }.joined(separator: "\n"))

  """
let root = "# Larder\n\n@Metadata {\n  @TechnologyRoot\n}\n"
try write(readme.replacing("# Larder\n", with: root, maxReplacements: 1) + topics, "Larder.md")
