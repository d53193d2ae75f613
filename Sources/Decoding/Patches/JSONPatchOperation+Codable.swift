extension JSONPatch.Operation: Codable {
  private enum CodingKeys: String, CodingKey {
    case op, path, from, value
  }

  private enum Name: String, Codable {
    case add, remove, replace, move, copy, test
  }

  /// Decodes one operation in a patch document.
  ///
  /// - Throws: `DecodingError` if the operation is invalid or unknown.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let path = try members.decode(String.self, forKey: .path)
    switch try members.decode(Name.self, forKey: .op) {
    case .add: self = .add(path: path, value: try members.decode(JSONValue.self, forKey: .value))
    case .remove: self = .remove(path: path)
    case .replace: self = .replace(path: path, value: try members.decode(JSONValue.self, forKey: .value))
    case .move: self = .move(from: try members.decode(String.self, forKey: .from), path: path)
    case .copy: self = .copy(from: try members.decode(String.self, forKey: .from), path: path)
    case .test: self = .test(path: path, value: try members.decode(JSONValue.self, forKey: .value))
    }
  }

  /// Encodes the operation as an object in a patch document.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    func put(_ name: Name, _ path: String) throws {
      try members.encode(name, forKey: .op)
      try members.encode(path, forKey: .path)
    }
    switch self {
    case .add(let path, let value):
      try put(.add, path)
      try members.encode(value, forKey: .value)
    case .remove(let path): try put(.remove, path)
    case .replace(let path, let value):
      try put(.replace, path)
      try members.encode(value, forKey: .value)
    case .move(let from, let path):
      try put(.move, path)
      try members.encode(from, forKey: .from)
    case .copy(let from, let path):
      try put(.copy, path)
      try members.encode(from, forKey: .from)
    case .test(let path, let value):
      try put(.test, path)
      try members.encode(value, forKey: .value)
    }
  }
}
