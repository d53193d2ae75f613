import Decoding

/// Values of forty types, told apart by a member: by a discriminator and by hand.
enum FortyCases {
  /// A payload; the types differ in their tag only.
  struct Part<Tag>: Codable, Equatable {
    var value: Int
  }

  enum T0 {}; enum T1 {}; enum T2 {}; enum T3 {}; enum T4 {}; enum T5 {}; enum T6 {}; enum T7 {}
  enum T8 {}; enum T9 {}; enum T10 {}; enum T11 {}; enum T12 {}; enum T13 {}; enum T14 {}; enum T15 {}
  enum T16 {}; enum T17 {}; enum T18 {}; enum T19 {}; enum T20 {}; enum T21 {}; enum T22 {}; enum T23 {}
  enum T24 {}; enum T25 {}; enum T26 {}; enum T27 {}; enum T28 {}; enum T29 {}; enum T30 {}; enum T31 {}
  enum T32 {}; enum T33 {}; enum T34 {}; enum T35 {}; enum T36 {}; enum T37 {}; enum T38 {}; enum T39 {}

  enum Discriminated: Codable {
    case c0(Part<T0>), c1(Part<T1>), c2(Part<T2>), c3(Part<T3>)
    case c4(Part<T4>), c5(Part<T5>), c6(Part<T6>), c7(Part<T7>)
    case c8(Part<T8>), c9(Part<T9>), c10(Part<T10>), c11(Part<T11>)
    case c12(Part<T12>), c13(Part<T13>), c14(Part<T14>), c15(Part<T15>)
    case c16(Part<T16>), c17(Part<T17>), c18(Part<T18>), c19(Part<T19>)
    case c20(Part<T20>), c21(Part<T21>), c22(Part<T22>), c23(Part<T23>)
    case c24(Part<T24>), c25(Part<T25>), c26(Part<T26>), c27(Part<T27>)
    case c28(Part<T28>), c29(Part<T29>), c30(Part<T30>), c31(Part<T31>)
    case c32(Part<T32>), c33(Part<T33>), c34(Part<T34>), c35(Part<T35>)
    case c36(Part<T36>), c37(Part<T37>), c38(Part<T38>), c39(Part<T39>)

    static let byType = Discriminator<Discriminated>(
      "type",
      cases: [
        "c0": .case(Discriminated.c0), "c1": .case(Discriminated.c1), "c2": .case(Discriminated.c2),
        "c3": .case(Discriminated.c3), "c4": .case(Discriminated.c4), "c5": .case(Discriminated.c5),
        "c6": .case(Discriminated.c6), "c7": .case(Discriminated.c7), "c8": .case(Discriminated.c8),
        "c9": .case(Discriminated.c9), "c10": .case(Discriminated.c10), "c11": .case(Discriminated.c11),
        "c12": .case(Discriminated.c12), "c13": .case(Discriminated.c13), "c14": .case(Discriminated.c14),
        "c15": .case(Discriminated.c15), "c16": .case(Discriminated.c16), "c17": .case(Discriminated.c17),
        "c18": .case(Discriminated.c18), "c19": .case(Discriminated.c19), "c20": .case(Discriminated.c20),
        "c21": .case(Discriminated.c21), "c22": .case(Discriminated.c22), "c23": .case(Discriminated.c23),
        "c24": .case(Discriminated.c24), "c25": .case(Discriminated.c25), "c26": .case(Discriminated.c26),
        "c27": .case(Discriminated.c27), "c28": .case(Discriminated.c28), "c29": .case(Discriminated.c29),
        "c30": .case(Discriminated.c30), "c31": .case(Discriminated.c31), "c32": .case(Discriminated.c32),
        "c33": .case(Discriminated.c33), "c34": .case(Discriminated.c34), "c35": .case(Discriminated.c35),
        "c36": .case(Discriminated.c36), "c37": .case(Discriminated.c37), "c38": .case(Discriminated.c38),
        "c39": .case(Discriminated.c39),
      ],
      payload: {
        switch $0 {
        case .c0(let part): part
        case .c1(let part): part
        case .c2(let part): part
        case .c3(let part): part
        case .c4(let part): part
        case .c5(let part): part
        case .c6(let part): part
        case .c7(let part): part
        case .c8(let part): part
        case .c9(let part): part
        case .c10(let part): part
        case .c11(let part): part
        case .c12(let part): part
        case .c13(let part): part
        case .c14(let part): part
        case .c15(let part): part
        case .c16(let part): part
        case .c17(let part): part
        case .c18(let part): part
        case .c19(let part): part
        case .c20(let part): part
        case .c21(let part): part
        case .c22(let part): part
        case .c23(let part): part
        case .c24(let part): part
        case .c25(let part): part
        case .c26(let part): part
        case .c27(let part): part
        case .c28(let part): part
        case .c29(let part): part
        case .c30(let part): part
        case .c31(let part): part
        case .c32(let part): part
        case .c33(let part): part
        case .c34(let part): part
        case .c35(let part): part
        case .c36(let part): part
        case .c37(let part): part
        case .c38(let part): part
        case .c39(let part): part
        }
      })

    init(from decoder: any Decoder) throws { self = try decoder.nested().decode(at: "$", by: Self.byType) }
    func encode(to encoder: any Encoder) throws { try encoder.nested().encode(self, at: "$", by: Self.byType) }
  }

  enum ByHand: Codable {
    case c0(Part<T0>), c1(Part<T1>), c2(Part<T2>), c3(Part<T3>)
    case c4(Part<T4>), c5(Part<T5>), c6(Part<T6>), c7(Part<T7>)
    case c8(Part<T8>), c9(Part<T9>), c10(Part<T10>), c11(Part<T11>)
    case c12(Part<T12>), c13(Part<T13>), c14(Part<T14>), c15(Part<T15>)
    case c16(Part<T16>), c17(Part<T17>), c18(Part<T18>), c19(Part<T19>)
    case c20(Part<T20>), c21(Part<T21>), c22(Part<T22>), c23(Part<T23>)
    case c24(Part<T24>), c25(Part<T25>), c26(Part<T26>), c27(Part<T27>)
    case c28(Part<T28>), c29(Part<T29>), c30(Part<T30>), c31(Part<T31>)
    case c32(Part<T32>), c33(Part<T33>), c34(Part<T34>), c35(Part<T35>)
    case c36(Part<T36>), c37(Part<T37>), c38(Part<T38>), c39(Part<T39>)

    enum Key: String, CodingKey { case type }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      switch try object.decode(String.self, forKey: .type) {
      case "c0": self = .c0(try Part(from: decoder))
      case "c1": self = .c1(try Part(from: decoder))
      case "c2": self = .c2(try Part(from: decoder))
      case "c3": self = .c3(try Part(from: decoder))
      case "c4": self = .c4(try Part(from: decoder))
      case "c5": self = .c5(try Part(from: decoder))
      case "c6": self = .c6(try Part(from: decoder))
      case "c7": self = .c7(try Part(from: decoder))
      case "c8": self = .c8(try Part(from: decoder))
      case "c9": self = .c9(try Part(from: decoder))
      case "c10": self = .c10(try Part(from: decoder))
      case "c11": self = .c11(try Part(from: decoder))
      case "c12": self = .c12(try Part(from: decoder))
      case "c13": self = .c13(try Part(from: decoder))
      case "c14": self = .c14(try Part(from: decoder))
      case "c15": self = .c15(try Part(from: decoder))
      case "c16": self = .c16(try Part(from: decoder))
      case "c17": self = .c17(try Part(from: decoder))
      case "c18": self = .c18(try Part(from: decoder))
      case "c19": self = .c19(try Part(from: decoder))
      case "c20": self = .c20(try Part(from: decoder))
      case "c21": self = .c21(try Part(from: decoder))
      case "c22": self = .c22(try Part(from: decoder))
      case "c23": self = .c23(try Part(from: decoder))
      case "c24": self = .c24(try Part(from: decoder))
      case "c25": self = .c25(try Part(from: decoder))
      case "c26": self = .c26(try Part(from: decoder))
      case "c27": self = .c27(try Part(from: decoder))
      case "c28": self = .c28(try Part(from: decoder))
      case "c29": self = .c29(try Part(from: decoder))
      case "c30": self = .c30(try Part(from: decoder))
      case "c31": self = .c31(try Part(from: decoder))
      case "c32": self = .c32(try Part(from: decoder))
      case "c33": self = .c33(try Part(from: decoder))
      case "c34": self = .c34(try Part(from: decoder))
      case "c35": self = .c35(try Part(from: decoder))
      case "c36": self = .c36(try Part(from: decoder))
      case "c37": self = .c37(try Part(from: decoder))
      case "c38": self = .c38(try Part(from: decoder))
      case "c39": self = .c39(try Part(from: decoder))
      default: throw DecodingError.dataCorruptedError(forKey: .type, in: object, debugDescription: "unknown")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      func put(_ name: String, _ part: some Encodable) throws {
        try object.encode(name, forKey: .type)
        try part.encode(to: encoder)
      }
      switch self {
      case .c0(let part): try put("c0", part)
      case .c1(let part): try put("c1", part)
      case .c2(let part): try put("c2", part)
      case .c3(let part): try put("c3", part)
      case .c4(let part): try put("c4", part)
      case .c5(let part): try put("c5", part)
      case .c6(let part): try put("c6", part)
      case .c7(let part): try put("c7", part)
      case .c8(let part): try put("c8", part)
      case .c9(let part): try put("c9", part)
      case .c10(let part): try put("c10", part)
      case .c11(let part): try put("c11", part)
      case .c12(let part): try put("c12", part)
      case .c13(let part): try put("c13", part)
      case .c14(let part): try put("c14", part)
      case .c15(let part): try put("c15", part)
      case .c16(let part): try put("c16", part)
      case .c17(let part): try put("c17", part)
      case .c18(let part): try put("c18", part)
      case .c19(let part): try put("c19", part)
      case .c20(let part): try put("c20", part)
      case .c21(let part): try put("c21", part)
      case .c22(let part): try put("c22", part)
      case .c23(let part): try put("c23", part)
      case .c24(let part): try put("c24", part)
      case .c25(let part): try put("c25", part)
      case .c26(let part): try put("c26", part)
      case .c27(let part): try put("c27", part)
      case .c28(let part): try put("c28", part)
      case .c29(let part): try put("c29", part)
      case .c30(let part): try put("c30", part)
      case .c31(let part): try put("c31", part)
      case .c32(let part): try put("c32", part)
      case .c33(let part): try put("c33", part)
      case .c34(let part): try put("c34", part)
      case .c35(let part): try put("c35", part)
      case .c36(let part): try put("c36", part)
      case .c37(let part): try put("c37", part)
      case .c38(let part): try put("c38", part)
      case .c39(let part): try put("c39", part)
      }
    }
  }
}
