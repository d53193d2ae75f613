// Checks that the dependencies between the files of each module run one way: `Docs/Architecture.md` has the plan.
//
// A file uses a type if it names it outside of comments and strings, and a member if it calls it or writes it after a
// dot. As a text does not say what a member belongs to, only names of five letters or more count that a single file of
// the module declares and that no other module uses: what several modules use is mostly the standard library's.
import Foundation
import RegexBuilder

struct Exception {
  var file: String
  var target: String
  var isUsed = false
}

struct Plan {
  /// The folders and files of each layer, from the bottom up.
  var layers: [[String]] = []
  var exceptions: [Exception] = []
  /// How many files may be in a cycle.
  var mostFiles = 0
  /// How many members may be used from below, apart from the exceptions.
  var mostMembers = 0
}

/// Reads the tables below each `### MODULE` of the section on layers: rows of a layer and its folders, rows of an
/// exception (`file` → `type or member`) and its reason, and rows of a limit.
func readPlans(_ page: String) -> [String: Plan] {
  var plans: [String: Plan] = [:]
  var module: String?
  for line in page.split(separator: "\n") {
    if line.hasPrefix("### ") { module = String(line.dropFirst(4)) } else if line.hasPrefix("## ") { module = nil }
    guard let module, line.hasPrefix("| "), !line.hasPrefix("| layer |"), !line.hasPrefix("|---") else { continue }
    let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    let names = cells[0].matches(of: /`([^`]+)`/).map { String($0.output.1) }
    if cells[0] == "files in a cycle" {
      plans[module, default: Plan()].mostFiles = Int(cells[1])!
    } else if cells[0] == "members used from below" {
      plans[module, default: Plan()].mostMembers = Int(cells[1])!
    } else if cells[0].contains("→") {
      plans[module, default: Plan()].exceptions.append(Exception(file: names[0] + ".swift", target: names[1]))
    } else {
      plans[module, default: Plan()].layers.append(cells[1].matches(of: /`([^`]+)`/).map { String($0.output.1) })
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
func cycles(_ graph: [String: Set<String>]) -> [[String]] {
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
  let modifiers =
    /(?:@\w+(?:\([^)\n]*\))? +)*(?:(?:public|open|package|internal|final|indirect|nonisolated(?:\(\w+\))?) +)*/
  let kind = /(?:struct|class|enum|protocol|actor|typealias) +(\w+)/
  let declaration = Regex {
    Anchor.startOfLine
    modifiers
    kind
  }
  var types: [String: String] = [:], declaring: [String: Set<String>] = [:]
  for file in files {
    for match in texts[file]!.matches(of: declaration) { types[String(match.output.1)] = file }
    for match in texts[file]!.matches(of: /\b(?:func|var|let|case) +`?([a-z_]\w{4,})/.wordBoundaryKind(.simple)) {
      declaring[String(match.output.1), default: []].insert(file)
    }
  }
  let members = declaring.filter { $0.value.count == 1 && !foreign.contains($0.key) }.mapValues { $0.first! }

  // The longest name that leads to the file: `Paging/Internal` before `Paging`, and a file before its folder.
  func layer(of file: String) -> Int? {
    let found = plan.layers.enumerated().flatMap { layer, folders in
      folders.filter { file == $0 + ".swift" || file.hasPrefix($0 + "/") }.map { (layer, $0.count) }
    }
    return found.max { $0.1 < $1.1 }?.0
  }

  var plan = plan
  var problems: [String] = [], membersFromBelow: [String] = []
  var graph: [String: Set<String>] = [:]
  for file in files {
    graph[file] = []
    guard let level = layer(of: file) else {
      problems.append("\(module)/\(file) is in no layer")
      continue
    }
    func use(_ name: String, in home: String?, isMember: Bool) {
      guard let home, home != file else { return }
      graph[file]!.insert(home)
      guard let other = layer(of: home), other > level else { return }
      if let index = plan.exceptions.firstIndex(where: { $0.file == file && $0.target == name }) {
        plan.exceptions[index].isUsed = true
      } else if isMember {
        membersFromBelow.append("\(module)/\(file) uses \(name), which is above it, in \(home)")
      } else {
        problems.append("\(module)/\(file) uses \(name), which is above it, in \(home)")
      }
    }
    let nested = Set(texts[file]!.matches(of: kind).map { String($0.output.1) })
    for type in Set(texts[file]!.matches(of: /\b[A-Z]\w*/).map { String($0.output) }).subtracting(nested).sorted() {
      use(type, in: types[type], isMember: false)
    }
    for member in uses[file]!.sorted() { use(member, in: members[member], isMember: true) }
  }
  problems += plan.exceptions.filter { !$0.isUsed }.map {
    "\(module): nothing needs the exception \($0.file) → \($0.target)"
  }
  for folder in plan.layers.joined()
  where !files.contains(where: { $0 == folder + ".swift" || $0.hasPrefix(folder + "/") }) {
    problems.append("\(module): there is no \(folder)")
  }
  let found = cycles(graph)
  for cycle in found where cycle.count > plan.mostFiles {
    problems.append("\(module): a cycle of \(cycle.count) files: \(cycle.sorted().joined(separator: " "))")
  }
  if membersFromBelow.count > plan.mostMembers { problems += membersFromBelow }
  let sizes = found.prefix(4).map { "\($0.count)" }.joined(separator: ", ")
  print(
    "\(module): \(files.count) files in \(plan.layers.count) layers, \(plan.exceptions.count) exceptions, "
      + "\(membersFromBelow.count) members used from below, cycles of \(sizes) files")
  if CommandLine.arguments.contains("--members") { for line in membersFromBelow { print(line) } }
  return problems
}

let plans = readPlans(try String(contentsOfFile: "Docs/Architecture.md", encoding: .utf8))
let modules = try Dictionary(uniqueKeysWithValues: plans.keys.map { ($0, try texts(of: $0)) })
let uses = modules.mapValues { $0.mapValues(membersUsed) }
let problems = plans.keys.sorted().flatMap { module in
  let others = uses.filter { $0.key != module }.values.flatMap(\.values)
  return check(module, plans[module]!, modules[module]!, uses: uses[module]!, foreign: Set(others.joined()))
}
for problem in problems { FileHandle.standardError.write(Data((problem + "\n").utf8)) }
exit(problems.isEmpty ? 0 : 1)
