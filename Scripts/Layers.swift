// Checks that the arrows between the files of each module run one way: see `Docs/Layers.txt`, which it reads.
//
// A file uses a type if it names it outside of comments and strings. Only types at the top level of a file are known to
// the floors: an extension above its type can be used from below without being noticed. Therefore, `Type+Ability.swift`
// counts as its type where circles of types are sought, and is at least on its type's floor.
//
// Circles of files see members too, and each file counts for itself. As a text does not say what a member belongs to,
// only names of five letters or more count that a single file of the module declares and that no other module uses:
// what several modules use is mostly the standard library's.
import Foundation
import RegexBuilder

struct Rule {
  var file: String
  var type: String
  var isUsed = false
}

struct Plan {
  var floors: [[String]] = []
  var exceptions: [Rule] = []
  var largestCircle = 30
  var mostFiles = 0
}

/// Reads the lines below each `# MODULE`.
func readPlans(_ text: String) -> [String: Plan] {
  var plans: [String: Plan] = [:]
  var module = ""
  for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("//") {
    let words = line.split(separator: " ").map(String.init)
    switch words.first {
    case "#": module = words[1]
    case "except" where words.count < 5: fatalError("an exception without a reason: \(line)")
    case "except": plans[module]!.exceptions.append(Rule(file: words[1] + ".swift", type: words[3]))
    case "circle": plans[module]!.largestCircle = Int(words[1])!
    case "files": plans[module]!.mostFiles = Int(words[1])!
    case let name? where name.hasSuffix(":"): plans[module, default: Plan()].floors.append(Array(words.dropFirst()))
    case let name: fatalError("\(module): \(name ?? "")")
    }
  }
  return plans
}

/// The code without comments and strings. Of an interpolation, what is between its first parentheses remains.
func code(of file: URL) throws -> String {
  try String(contentsOf: file, encoding: .utf8)
    .replacing(/(?s:\/\*.*?\*\/)|"""(?s:.*?)"""|#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*/) { match in
      match.output.hasPrefix("/")
        ? " " : match.output.matches(of: /\\\(([^")]*)/).map { " \($0.output.1) " }.joined()
    }
}

func texts(of module: String) throws -> [String: String] {
  let root = URL(filePath: "Sources/\(module)")
  let files = FileManager.default.enumerator(atPath: root.path)!.compactMap { $0 as? String }
  return try Dictionary(
    uniqueKeysWithValues: files.filter { $0.hasSuffix(".swift") }.map { ($0, try code(of: root.appending(path: $0))) })
}

/// The names of what a text calls, or writes after a dot, except for the C library's.
func membersUsed(in text: String) -> Set<String> {
  let names = text.replacing(/\bGlibc\.\w+/, with: "").matches(
    of: /\.([a-z_]\w{4,})|\b([a-z_]\w{4,})\(/.wordBoundaryKind(.simple))
  return Set(names.map { String($0.output.1 ?? $0.output.2!) })
}

/// The strongly connected parts of a graph, after Tarjan.
func circles(_ graph: [String: Set<String>]) -> [[String]] {
  var numbers: [String: Int] = [:], lows: [String: Int] = [:], path: [String] = [], found: [[String]] = []
  func visit(_ node: String) {
    (numbers[node], lows[node]) = (numbers.count, numbers.count)
    path.append(node)
    for next in graph[node, default: []] {
      if numbers[next] == nil { visit(next) }
      if path.contains(next) { lows[node] = min(lows[node]!, lows[next]!) }
    }
    guard lows[node] == numbers[node] else { return }
    let start = path.firstIndex(of: node)!
    found.append(Array(path[start...]))
    path.removeSubrange(start...)
  }
  for node in graph.keys.sorted() where numbers[node] == nil { visit(node) }
  return found.filter { $0.count > 1 }.sorted { $0.count > $1.count }
}

/// - Parameters:
///   - uses: The members that each file uses.
///   - foreign: The members that the other modules use.
func check(
  _ module: String, _ plan: Plan, _ texts: [String: String], uses: [String: Set<String>], foreign: Set<String>
) -> [String] {
  let files = texts.keys.sorted()

  var homes: [String: String] = [:]
  let modifiers =
    /(?:@\w+(?:\([^)\n]*\))? +)*(?:(?:public|open|package|internal|final|indirect|nonisolated(?:\(\w+\))?) +)*/
  let kind = /(?:struct|class|enum|protocol|actor|typealias) +(\w+)/
  let declaration = Regex {
    Anchor.startOfLine
    modifiers
    kind
  }
  for file in files {
    for match in texts[file]!.matches(of: declaration) { homes[String(match.output.1)] = file }
  }
  func owner(of file: String) -> String {
    homes[String(file.split(separator: "/").last!.prefix { $0 != "+" && $0 != "." })] ?? file
  }
  // The longest room that leads to the file: `Paging/Internal` before `Paging`, and a file before its folder.
  func room(of file: String) -> Int? {
    let found = plan.floors.enumerated().flatMap { floor, rooms in
      rooms.filter { file == $0 + ".swift" || file.hasPrefix($0 + "/") }.map { (floor, $0.count) }
    }
    return found.max { $0.1 < $1.1 }?.0
  }
  // An extension is on its own floor or on that of its type, whichever is higher.
  func floor(of file: String) -> Int? {
    room(of: file).map { max($0, room(of: owner(of: file)) ?? $0) }
  }

  var declaring: [String: Set<String>] = [:]
  for file in files {
    for match in texts[file]!.matches(of: /\b(?:func|var|let|case) +`?([a-z_]\w{4,})/.wordBoundaryKind(.simple)) {
      declaring[String(match.output.1), default: []].insert(file)
    }
  }
  let members = declaring.filter { $0.value.count == 1 && !foreign.contains($0.key) }.mapValues { $0.first! }

  var plan = plan
  var problems: [String] = []
  var graph: [String: Set<String>] = [:]
  var fileGraph: [String: Set<String>] = [:]
  for file in files {
    fileGraph[file] = Set(uses[file]!.compactMap { members[$0] }).subtracting([file])
    guard let level = floor(of: file) else {
      problems.append("\(module)/\(file) is on no floor")
      continue
    }
    let nested = Set(texts[file]!.matches(of: kind).map { String($0.output.1) })
    for type in Set(texts[file]!.matches(of: /\b[A-Z]\w*/).map { String($0.output) }).subtracting(nested).sorted() {
      guard let home = homes[type], home != file else { continue }
      fileGraph[file]!.insert(home)
      if owner(of: file) != owner(of: home) { graph[owner(of: file), default: []].insert(owner(of: home)) }
      guard let other = floor(of: home), other > level else { continue }
      if let index = plan.exceptions.firstIndex(where: { $0.file == file && $0.type == type }) {
        plan.exceptions[index].isUsed = true
      } else {
        problems.append("\(module)/\(file) uses \(type), which is above it, in \(home)")
      }
    }
  }
  problems += plan.exceptions.filter { !$0.isUsed }.map {
    "\(module): no arrow needs the exception \($0.file) -> \($0.type)"
  }
  for room in plan.floors.joined() where !files.contains(where: { $0 == room + ".swift" || $0.hasPrefix(room + "/") }) {
    problems.append("\(module): there is no \(room)")
  }
  let found = circles(graph)
  for circle in found where circle.count > plan.largestCircle {
    problems.append("\(module): a circle of \(circle.count) types: \(circle.sorted().joined(separator: " "))")
  }
  let foundFiles = circles(fileGraph)
  for circle in foundFiles where circle.count > plan.mostFiles {
    problems.append("\(module): a circle of \(circle.count) files: \(circle.sorted().joined(separator: " "))")
  }
  func sizes(_ circles: [[String]]) -> String { circles.prefix(4).map { "\($0.count)" }.joined(separator: ", ") }
  print(
    "\(module): \(files.count) files, \(plan.floors.count) floors, \(plan.exceptions.count) exceptions, "
      + "circles of \(sizes(found)) types and of \(sizes(foundFiles)) files")
  return problems
}

let plans = readPlans(try String(contentsOfFile: "Docs/Layers.txt", encoding: .utf8))
let modules = try Dictionary(uniqueKeysWithValues: plans.keys.map { ($0, try texts(of: $0)) })
let uses = modules.mapValues { $0.mapValues(membersUsed) }
let problems = plans.keys.sorted().flatMap { module in
  let others = uses.filter { $0.key != module }.values.flatMap(\.values)
  return check(module, plans[module]!, modules[module]!, uses: uses[module]!, foreign: Set(others.joined()))
}
for problem in problems { FileHandle.standardError.write(Data((problem + "\n").utf8)) }
exit(problems.isEmpty ? 0 : 1)
