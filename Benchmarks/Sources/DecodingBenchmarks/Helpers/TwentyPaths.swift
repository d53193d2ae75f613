import Decoding

/// Twenty values in four objects, up to three deep: by paths, by containers and as nested structures.
enum TwentyPaths {
  struct ByPath: Codable, Equatable {
    var aOneF0, aOneF1, aOneF2, aOneF3, aOneF4: Int
    var aTwoF0, aTwoF1, aTwoF2, aTwoF3, aTwoF4: Int
    var bF0, bF1, bF2, bF3, bF4: Int
    var cDeepErF0, cDeepErF1, cDeepErF2, cDeepErF3, cDeepErF4: Int

    enum CodingKeys: String, NestedCodingKey {
      case aOneF0 = "a.one.f0", aOneF1 = "a.one.f1", aOneF2 = "a.one.f2", aOneF3 = "a.one.f3", aOneF4 = "a.one.f4"
      case aTwoF0 = "a.two.f0", aTwoF1 = "a.two.f1", aTwoF2 = "a.two.f2", aTwoF3 = "a.two.f3", aTwoF4 = "a.two.f4"
      case bF0 = "b.f0", bF1 = "b.f1", bF2 = "b.f2", bF3 = "b.f3", bF4 = "b.f4"
      case cDeepErF0 = "c.deep.er.f0", cDeepErF1 = "c.deep.er.f1", cDeepErF2 = "c.deep.er.f2", cDeepErF3 =
        "c.deep.er.f3", cDeepErF4 = "c.deep.er.f4"
    }
  }

  struct ByHand: Codable, Equatable {
    var one, two, outer, deep: Five

    enum Key: String, CodingKey { case a, b, c, one, two, deep, er, f0, f1, f2, f3, f4 }

    struct Five: Equatable {
      var f0, f1, f2, f3, f4: Int

      init(_ object: KeyedDecodingContainer<Key>) throws {
        f0 = try object.decode(Int.self, forKey: .f0)
        f1 = try object.decode(Int.self, forKey: .f1)
        f2 = try object.decode(Int.self, forKey: .f2)
        f3 = try object.decode(Int.self, forKey: .f3)
        f4 = try object.decode(Int.self, forKey: .f4)
      }

      func encode(to object: inout KeyedEncodingContainer<Key>) throws {
        try object.encode(f0, forKey: .f0)
        try object.encode(f1, forKey: .f1)
        try object.encode(f2, forKey: .f2)
        try object.encode(f3, forKey: .f3)
        try object.encode(f4, forKey: .f4)
      }
    }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      let a = try object.nestedContainer(keyedBy: Key.self, forKey: .a)
      one = try Five(a.nestedContainer(keyedBy: Key.self, forKey: .one))
      two = try Five(a.nestedContainer(keyedBy: Key.self, forKey: .two))
      outer = try Five(object.nestedContainer(keyedBy: Key.self, forKey: .b))
      let c = try object.nestedContainer(keyedBy: Key.self, forKey: .c)
      let inner = try c.nestedContainer(keyedBy: Key.self, forKey: .deep)
      deep = try Five(inner.nestedContainer(keyedBy: Key.self, forKey: .er))
    }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      var a = object.nestedContainer(keyedBy: Key.self, forKey: .a)
      var first = a.nestedContainer(keyedBy: Key.self, forKey: .one)
      try one.encode(to: &first)
      var second = a.nestedContainer(keyedBy: Key.self, forKey: .two)
      try two.encode(to: &second)
      var b = object.nestedContainer(keyedBy: Key.self, forKey: .b)
      try outer.encode(to: &b)
      var c = object.nestedContainer(keyedBy: Key.self, forKey: .c)
      var inner = c.nestedContainer(keyedBy: Key.self, forKey: .deep)
      var last = inner.nestedContainer(keyedBy: Key.self, forKey: .er)
      try deep.encode(to: &last)
    }
  }

  struct Nested: Codable, Equatable {
    struct Five: Codable, Equatable { var f0, f1, f2, f3, f4: Int }
    struct A: Codable, Equatable { var one, two: Five }
    struct C: Codable, Equatable {
      struct Deep: Codable, Equatable { var er: Five }
      var deep: Deep
    }
    var a: A
    var b: Five
    var c: C

    static let many = (0..<2000).map { index in
      let five = Five(f0: index, f1: index + 1, f2: index + 2, f3: index + 3, f4: index + 4)
      return Nested(a: A(one: five, two: five), b: five, c: C(deep: C.Deep(er: five)))
    }
  }
}
