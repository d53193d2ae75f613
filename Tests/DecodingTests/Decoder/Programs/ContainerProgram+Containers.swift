/// Calls of keyed and unkeyed containers.
extension ContainerProgram {
  mutating func askKeyed(_ index: Int) throws {
    let container = player.keyed[index]
    let keyName = RandomDocument.names[number(in: 0..<RandomDocument.names.count)]
    let key = AnyValue.Key(stringValue: number(in: 0..<10) == 0 ? "key\(number(in: 0..<50))" : keyName)
    let name = "keyed \(index) at \(key.stringValue)"
    switch number(in: 0..<16) {
    case 0: record("\(name): contains", .value("\(container.contains(key))"))
    case 1:
      record("keyed \(index): all keys", .value(container.allKeys.map(\.stringValue).sorted().joined(separator: ",")))
    case 2: try call("\(name): nil") { .value("\(try container.decodeNil(forKey: key))") }
    case 3: record("keyed \(index): path", .value(codingPathText(container.codingPath)))
    case 4:
      var opened: KeyedDecodingContainer<AnyValue.Key>?
      try call("\(name): keyed") {
        opened = try container.nestedContainer(keyedBy: AnyValue.Key.self, forKey: key)
        return .value(codingPathText(opened?.codingPath ?? []))
      }
      if let opened { player.keep(opened) }
    case 5:
      var opened: (any UnkeyedDecodingContainer)?
      try call("\(name): unkeyed") {
        opened = try container.nestedUnkeyedContainer(forKey: key)
        return .value(codingPathText(opened?.codingPath ?? []))
      }
      if let opened { player.keep(opened) }
    case 6:
      let isSuper = number(in: 0..<2) == 0
      var opened: (any Decoder)?
      try call(isSuper ? "keyed \(index): super" : "\(name): super") {
        opened = isSuper ? try container.superDecoder() : try container.superDecoder(forKey: key)
        return .value(codingPathText(opened?.codingPath ?? []))
      }
      if let opened { decoders.append(opened) }
    case 7...9: try decodeIfPresent(container, key, name)
    default: try decode(container, key, name)
    }
  }

  private mutating func decode(
    _ container: KeyedDecodingContainer<AnyValue.Key>, _ key: AnyValue.Key, _ name: String
  ) throws {
    let wanted = PlayedType.any(&random)
    let isPlain = number(in: 0..<2) == 0
    try call("\(name): \(wanted.type)", isUnordered: wanted.isUnordered) {
      if isPlain {
        if wanted.type == Int.self { return Outcome(try container.decode(Int.self, forKey: key)) }
        if wanted.type == Double.self { return Outcome(try container.decode(Double.self, forKey: key)) }
        if wanted.type == String.self { return Outcome(try container.decode(String.self, forKey: key)) }
        if wanted.type == Bool.self { return Outcome(try container.decode(Bool.self, forKey: key)) }
      }
      return Outcome(try container.decode(wanted.type, forKey: key))
    }
  }

  private mutating func decodeIfPresent(
    _ container: KeyedDecodingContainer<AnyValue.Key>, _ key: AnyValue.Key, _ name: String
  ) throws {
    let wanted = PlayedType.any(&random)
    let isPlain = number(in: 0..<2) == 0
    try call("\(name): \(wanted.type)?", isUnordered: wanted.isUnordered) {
      if isPlain {
        if wanted.type == Int.self { return Outcome(try container.decodeIfPresent(Int.self, forKey: key) as Any) }
        if wanted.type == Double.self { return Outcome(try container.decodeIfPresent(Double.self, forKey: key) as Any) }
        if wanted.type == String.self { return Outcome(try container.decodeIfPresent(String.self, forKey: key) as Any) }
        if wanted.type == Bool.self { return Outcome(try container.decodeIfPresent(Bool.self, forKey: key) as Any) }
      }
      return try container.decodeIfPresent(wanted.type, forKey: key).map { Outcome($0) } ?? .value("nil")
    }
  }

  mutating func askUnkeyed(_ index: Int) throws {
    // A copy, as the call may lead back here; what it has passed is noted where it still is the same container.
    var container = player.unkeyed[index]
    let before = container.currentIndex
    let path = codingPathText(container.codingPath)
    let name = "unkeyed \(index)"
    defer {
      if index < player.unkeyed.count, player.unkeyed[index].currentIndex == before,
        codingPathText(player.unkeyed[index].codingPath) == path
      {
        player.unkeyed[index] = container
      }
    }
    switch number(in: 0..<12) {
    case 0: record("\(name): end", .value("\(container.isAtEnd) at \(container.currentIndex)"))
    case 1: record("\(name): count", .value("\(container.count ?? -1)"))
    case 2: try call("\(name): nil") { .value("\(try container.decodeNil())") }
    case 3: record("\(name): path", .value(path))
    case 4:
      var opened: KeyedDecodingContainer<AnyValue.Key>?
      try call("\(name): keyed") {
        opened = try container.nestedContainer(keyedBy: AnyValue.Key.self)
        return .value(codingPathText(opened?.codingPath ?? []))
      }
      if let opened { player.keep(opened) }
    case 5:
      var opened: (any UnkeyedDecodingContainer)?
      try call("\(name): unkeyed") {
        opened = try container.nestedUnkeyedContainer()
        return .value(codingPathText(opened?.codingPath ?? []))
      }
      if let opened { player.keep(opened) }
    case 6:
      var opened: (any Decoder)?
      try call("\(name): super") {
        opened = try container.superDecoder()
        return .value(codingPathText(opened?.codingPath ?? []))
      }
      if let opened { decoders.append(opened) }
    case 7, 8:
      // At the end Foundation's counts on.
      if container.isAtEnd { return }
      let wanted = PlayedType.any(&random)
      try call("\(name): \(wanted.type)?", isUnordered: wanted.isUnordered) {
        try container.decodeIfPresent(wanted.type).map { Outcome($0) } ?? .value("nil")
      }
    default: try decode(&container, name)
    }
  }

  private mutating func decode(_ container: inout any UnkeyedDecodingContainer, _ name: String) throws {
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
}
