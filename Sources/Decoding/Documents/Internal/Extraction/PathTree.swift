/// Several singular paths with their common prefixes merged.
struct PathTree {
  struct Node {
    var names: [(name: [UInt8], node: Int)] = []
    var indices: [(index: Int, node: Int)] = []
    /// The fields whose path ends here, and all fields below.
    var fields: [Int] = []
    var fieldsBelow: [Int] = []
  }

  private(set) var nodes = [Node()]

  mutating func insert(_ steps: [PathStep], field: Int) {
    var current = 0
    for step in steps {
      nodes[current].fieldsBelow.append(field)
      switch step {
      case .name(let name):
        if let known = nodes[current].names.first(where: { $0.name == name.utf8 }) {
          current = known.node
        } else {
          nodes[current].names.append((name.utf8, nodes.count))
          current = addNode()
        }
      case .index(let index):
        if let known = nodes[current].indices.first(where: { $0.index == index }) {
          current = known.node
        } else {
          nodes[current].indices.append((index, nodes.count))
          current = addNode()
        }
      }
    }
    nodes[current].fields.append(field)
  }

  private mutating func addNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }
}
