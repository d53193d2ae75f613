import Decoding

/// Calls of decoders, of single-value containers and of nested decoders.
extension ContainerProgram {
  mutating func askDecoder(_ index: Int) throws {
    let decoder = decoders[index]
    switch number(in: 0..<6) {
    case 0, 1:
      var opened: KeyedDecodingContainer<AnyValue.Key>?
      try call("decoder \(index): keyed") {
        let container = try decoder.container(keyedBy: AnyValue.Key.self)
        opened = container
        return .value(codingPathText(container.codingPath))
      }
      if let opened { player.keep(opened) }
    case 2:
      var opened: (any UnkeyedDecodingContainer)?
      try call("decoder \(index): unkeyed") {
        let container = try decoder.unkeyedContainer()
        opened = container
        return .value(codingPathText(container.codingPath))
      }
      if let opened { player.keep(opened) }
    case 3, 4:
      let container = try decoder.singleValueContainer()
      singles.append(container)
      record("decoder \(index): single", .value(codingPathText(container.codingPath)))
    default:
      var opened: NestedDecoder?
      try call("decoder \(index): nested") {
        opened = try decoder.nested()
        return .value("opened")
      }
      if let opened { nested.append(opened) }
    }
  }

  mutating func askSingle(_ index: Int) throws {
    let container = singles[index]
    let name = "single \(index)"
    if number(in: 0..<5) == 0 {
      record("\(name): nil", .value("\(container.decodeNil())"))
      return
    }
    let wanted = PlayedType.any(&random)
    let isPlain = number(in: 0..<2) == 0
    try call("\(name): \(wanted.type)", isUnordered: wanted.isUnordered) {
      if isPlain {
        if wanted.type == Int.self { return Outcome(try container.decode(Int.self)) }
        if wanted.type == Double.self { return Outcome(try container.decode(Double.self)) }
        if wanted.type == String.self { return Outcome(try container.decode(String.self)) }
        if wanted.type == Bool.self { return Outcome(try container.decode(Bool.self)) }
      }
      return Outcome(try container.decode(wanted.type))
    }
  }

  private static let paths = [
    "$", "a", "b", "a.b", "a.b.c", "a_b", "a[0]", "b[1]", "a[-1]", "$[0]", "$[1].a", "b[0].a", "super", "a.a.a",
  ]
  private static let selections = [
    "a[*]", "$[*]", "b[*].a", "$[0:2]", "a[?@.b]", "$[?@.a>0]", "a[?@.b=='x'].c", "$[?@.a=='x'].b", "b[?@.a=='x'].b.c",
    "$[?@.a=='x']", "a.b[?@.c=='x'].a",
  ]

  mutating func askNested(_ index: Int) throws {
    let json = nested[index]
    let isSingular = number(in: 0..<3) > 0
    let paths = isSingular ? Self.paths : Self.selections
    let text = paths[number(in: 0..<paths.count)]
    let path = try JSONPath(parsing: text)
    let wanted = PlayedType.any(&random)
    let name = "nested \(index) at \(text): \(wanted.type)"
    switch number(in: 0..<3) {
    case 0: try call(name, isUnordered: wanted.isUnordered) { Outcome(try json.decode(wanted.type, at: path)) }
    case 1:
      try call("\(name)?", isUnordered: wanted.isUnordered) {
        try json.decodeIfPresent(wanted.type, at: path).map { Outcome($0) } ?? .value("nil")
      }
    default:
      try call("\(name) all", isUnordered: wanted.isUnordered) { Outcome(try json.decodeAll(wanted.type, at: path)) }
    }
  }
}
