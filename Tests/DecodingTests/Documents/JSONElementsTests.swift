import Decoding
import Foundation
import Testing

@Suite struct JSONElementsTests {
  struct Photo: Decodable, Equatable {
    let id: String
    let title: String?
  }

  static let sizes = [1, 2, 3, 5, 7, 16, 61, 64, 100_000]

  let json = #"""
    { "é\u0041": [1, -2.5e+10, true, null, "a\"]}\\", "\ud83d\ude00 漢字"], "photos" : {"skip":{"a":[[],{}]},"photo": [
    {"id":"1","title":"A, ] } \" \\"}, {"id":"2", "title":null},{"id":"漢","title":"\u00e9"} , {"id":"4"}
    ], "page": 1}}  trailing
    """#
  let photos = [
    Photo(id: "1", title: #"A, ] } " \"#), Photo(id: "2", title: nil), Photo(id: "漢", title: "é"),
    Photo(id: "4", title: nil),
  ]

  func collect<T: Decodable, Base: AsyncSequence>(_ elements: JSONElements<T, Base>) async throws -> [T] {
    var result: [T] = []
    for try await element in elements { result.append(element) }
    return result
  }

  func failure<T: Decodable, Base: AsyncSequence>(_ elements: JSONElements<T, Base>) async -> (
    LocatedDecodingError?, Int
  ) {
    var iterator = elements.makeAsyncIterator()
    var count = 0
    do {
      while try await iterator.next() != nil { count += 1 }
      return (nil, count)
    } catch {
      let isOver = (try? await iterator.next()) ?? nil
      #expect(isOver == nil, "nothing comes behind an error")
      return (error as? LocatedDecodingError, count)
    }
  }

  @Test(arguments: sizes) func `a stream split into any chunks has the same elements`(size: Int) async throws {
    let chunks = Chunks(json, size: size)
    #expect(try await collect(JSONElements(of: Photo.self, in: chunks, at: "photos.photo")) == photos)
    #expect(try await collect(JSONElements(of: Photo.self, in: chunks, at: "photos.photo[*]")) == photos)
  }

  @Test(arguments: sizes) func `stream elements may be of any kind`(size: Int) async throws {
    let chunks = Chunks(json, size: size)
    let expected: [AnyValue] = [
      .int(1), .int(-25_000_000_000), .bool(true), .null, .string(#"a"]}\"#), .string("😀 漢字"),
    ]
    #expect(try await collect(JSONElements(of: AnyValue.self, in: chunks, at: "['éA']")) == expected)
    let nested = Chunks("\u{FEFF}[[1,2],[ ],[[3]]]", size: size)
    #expect(
      try await collect(JSONElements(of: AnyValue.self, in: nested)) == [
        .array([.int(1), .int(2)]), .array([]), .array([.array([.int(3)])]),
      ])
    #expect(try await collect(JSONElements(of: Int.self, in: nested, at: "[0]")) == [1, 2])
    #expect(try await collect(JSONElements(of: Int.self, in: nested, at: "[1][*]")).isEmpty)
    #expect(try await collect(JSONElements(of: Int.self, in: nested, at: "[2][0]")) == [3])
  }

  @Test(arguments: sizes) func `JSON lines and text sequences are streams too`(size: Int) async throws {
    let lines = "\n{\"id\":\"1\"}\r\n\n  {\"id\":\"2\",\"title\":\"\\n\"}\n{\"id\":\"3\"}"
    #expect(
      try await collect(JSONElements(of: Photo.self, in: Chunks(lines, size: size), format: .lines)).map(\.id) == [
        "1", "2", "3",
      ])
    let sequence = "\u{1E}{\"id\":\n\"1\"}\n\u{1E}\u{1E}{\"id\":\"2\"}\u{1E}{\"id\":\"3\"}\n"
    #expect(
      try await collect(JSONElements(of: Photo.self, in: Chunks(sequence, size: size), format: .textSequence)).map(\.id)
        == ["1", "2", "3"])
    #expect(try await collect(JSONElements(of: Int.self, in: Chunks("", size: size), format: .lines)).isEmpty)
    #expect(try await collect(JSONElements(of: Int.self, in: Chunks("", size: size), format: .textSequence)).isEmpty)
    let (cut, count) = await failure(
      JSONElements(of: Int.self, in: Chunks("\u{1E}12\n\u{1E}34", size: size), format: .textSequence))
    #expect(cut?.kind == .malformed)
    #expect(count == 1)
    #expect(
      await failure(JSONElements(of: Int.self, in: Chunks("12", size: size), format: .textSequence)).0?.kind
        == .malformed)
  }

  @Test(arguments: sizes) func `a stream error reports element index, line and offset`(size: Int) async throws {
    let text = "{\"list\":[\n{\"id\":\"é\"},\n  {\"id\":7}]}"
    let (error, count) = await failure(JSONElements(of: Photo.self, in: Chunks(text, size: size), at: "list"))
    #expect(count == 1)
    #expect(error?.kind == .mismatch)
    #expect(error?.path == "list[1].id")
    #expect(error?.position?.line == 3)
    #expect(error?.position?.column == 9)
    #expect(error?.position?.offset == 31)
  }

  @Test(arguments: sizes) func `an invalid stream fails at its first invalid byte`(size: Int) async throws {
    for (text, kind, offset) in [
      ("[1,2", LocatedDecodingError.Kind.malformed, 4), ("[1 2]", .malformed, 3), ("[tru]", .malformed, 4),
      ("[1,]", .malformed, 3),
      ("[1.]", .malformed, 3), (#"{"x":"\q","list":[]}"#, .malformed, 6), (#"{"x":[1}],"list":[]}"#, .malformed, 7),
      (#"{"x":1.,"list":[]}"#, .malformed, 7), (#"{"x" 1}"#, .malformed, 5), ("", .malformed, 0),
      ("[[1}]", .malformed, 3),
    ] {
      let path: JSONPath = text.contains("x") ? "list" : "$"
      let (error, _) = await failure(JSONElements(of: AnyValue.self, in: Chunks(text, size: size), at: path))
      #expect(error?.kind == kind, "\(text)")
      #expect(error?.position?.offset == offset, "\(text)")
    }
  }

  @Test func `a stream path that leads nowhere is an error that names the path`() async throws {
    let text = #"{"a":{"b":[1,[2]],"c":null}}"#
    for (path, kind) in [
      ("a.x", LocatedDecodingError.Kind.missing), ("a.b[5]", .missing), ("a.b[0]", .mismatch), ("a", .mismatch),
      ("a.c", .null),
      ("a.b.c", .mismatch), ("a..b", .unsupportedPath), ("a.b[-1]", .unsupportedPath), ("a[", .invalidPath),
    ] {
      let path = (try? JSONPath(parsing: path)) ?? "a["
      let (error, count) = await failure(JSONElements(of: Int.self, in: Chunks(text, size: 4), at: path))
      #expect(error?.kind == kind, "\(path)")
      #expect(count == 0)
    }
    #expect(try await collect(JSONElements(of: Int.self, in: Chunks(text, size: 4), at: "a.b[1]")) == [2])
    let (error, _) = await failure(JSONElements(of: Int.self, in: Chunks(text, size: 3), at: "a.x"))
    #expect(error?.siblings == ["b", "c"])
    #expect(error?.path == "a.x")
  }

  @Test(arguments: [1, 6, 1000]) func `undecodable stream elements are dropped and reported, up to a limit`(size: Int)
    async throws
  {
    final class Drops: @unchecked Sendable {
      var all: [DroppedElement] = []
    }
    let drops = Drops()
    var options = JSONElementOptions()
    options.dropLimit = 2
    options.onDrop = { drops.all.append($0) }
    let text = #"[1,"x",3,null,5]"#
    #expect(try await collect(JSONElements(of: Int.self, in: Chunks(text, size: size), options: options)) == [1, 3, 5])
    #expect(drops.all.map(\.index) == [1, 3])
    #expect(drops.all.map(\.path) == ["$[1]", "$[3]"])
    #expect(drops.all.map(\.failure.position?.offset) == [3, 9])
    options.dropLimit = 1
    let (error, count) = await failure(JSONElements(of: Int.self, in: Chunks(text, size: size), options: options))
    #expect(error?.path == "$[3]")
    #expect(count == 2)
    options.dropLimit = 9
    let lines = "1\n{\n3\n"
    #expect(
      try await collect(JSONElements(of: Int.self, in: Chunks(lines, size: size), format: .lines, options: options))
        == [1, 3])
    #expect(
      await failure(JSONElements(of: AnyValue.self, in: Chunks("[1,[}],3]", size: size), options: options)).0?.kind
        == .malformed)
  }

  @Test func `an endless element, name or nesting ends at the limit`() async throws {
    var options = JSONElementOptions()
    options.maximumElementSize = 10_000
    for (beginning, chunk) in [("[\"", "aaaa"), ("[{\"a\":", "[1],"), ("[", "1"), ("[[", "1,"), ("{\"", "kkkk")] {
      let chunks = EndlessChunks(beginning: beginning, chunk: String(repeating: chunk, count: 100))
      let path: JSONPath = beginning.hasPrefix("{") ? "a" : "$"
      #expect(
        await failure(JSONElements(of: AnyValue.self, in: chunks, at: path, options: options)).0?.kind == .limit,
        "\(beginning)")
    }
    for format: JSONStreamFormat in [.lines, .textSequence] {
      let chunks = EndlessChunks(beginning: "\u{1E}", chunk: "[1]")
      #expect(
        await failure(JSONElements(of: AnyValue.self, in: chunks, format: format, options: options)).0?.kind == .limit)
    }
    let brackets = EndlessChunks(beginning: "{\"a\":", chunk: String(repeating: "[", count: 100))
    #expect(await failure(JSONElements(of: AnyValue.self, in: brackets, at: "b")).0?.kind == .limit)
  }

  @Test func `skipped parts of a stream need no memory and may be split anywhere`() async throws {
    let text = #"{"big":"\#(String(repeating: "long é\\n", count: 5000))","list":[1,2]}"#
    var options = JSONElementOptions()
    options.maximumElementSize = 100
    for size in [1, 13, 4096] {
      #expect(
        try await collect(JSONElements(of: Int.self, in: Chunks(text, size: size), at: "list", options: options)) == [
          1, 2,
        ])
    }
  }

  @Test func `with trusted validation a stream skips invalid JSON`() async throws {
    let decoder = JSONBytesDecoder()
    decoder.validation = .trusted
    let chunks = Chunks(#"{"x":[1.2.3,"\q"],"list":[1,2]}"#, size: 5)
    #expect(try await collect(JSONElements(of: Int.self, in: chunks, at: "list", decoder: decoder)) == [1, 2])
    #expect(await failure(JSONElements(of: Int.self, in: chunks, at: "list")).0?.kind == .malformed)
  }

  @Test func `an error thrown by the chunks is passed on`() async throws {
    struct Broken: Error {}
    await #expect(throws: Broken.self) {
      try await collect(JSONElements(of: Int.self, in: Chunks("[1,2,", size: 2, error: Broken())))
    }
  }

  @Test func `a stream reads data slices as chunks, and an actor may iterate over it`() async throws {
    let stream = AsyncStream<Data> { continuation in
      for chunk in ["[1,", "2", "3]"] { continuation.yield(Data(("xx" + chunk).utf8).dropFirst(2)) }
      continuation.finish()
    }
    let sum = try await Task { @MainActor in
      var sum = 0
      for try await number in JSONElements(of: Int.self, in: stream) { sum += number }
      return sum
    }.value
    #expect(sum == 24)
  }

  @Test(arguments: sizes) func `the error of an invalid stream says what is expected and in which value`(size: Int)
    async
  {
    for (text, path, words) in [
      (#"{"a":{"b":[1 2]}}"#, "$['a']['b']", "not JSON: expected `,` or `]`"),
      (#"{"a":{"b":[1,2] "c":1}}"#, "", ""),
      (#"{"a":{"x":1 "b":[1,2]}}"#, "$['a']", "not JSON: expected `,` or the end of the container"),
      (#"{"a":{"x" 1}}"#, "$['a']", "not JSON: expected `:` after a name"),
      (#"{"x":[1,{}}"#, "$", "not JSON: malformed"),
      (#"{"a":{"b":[1,tru]}}"#, "$['a']['b'][1]", "not JSON: expected true, false or null"),
    ] {
      let elements = JSONElements(of: Int.self, in: Chunks(text, size: size), at: "a.b")
      let (failure, _) = await failure(elements)
      #expect((failure?.path.description ?? "") == path, "\(text)")
      #expect(failure?.description.contains(words) ?? words.isEmpty, "\(text): \(failure.map(\.description) ?? "")")
    }
  }

  @Test(arguments: sizes) func `the error of a stream that is not JSON says what it looks like`(size: Int) async {
    for (text, words) in [
      ("", "$: not JSON: the body is empty at line 1, column 1 (byte 0)"),
      ("<html><body>502</body></html>", "$: not JSON: it looks like HTML or XML at line 1, column 1 (byte 0)"),
      ("{\"list\": 1", "$: not JSON: the stream ends too early at line 1, column 11 (byte 10)"),
    ] {
      let path: JSONPath = text.contains("list") ? "other" : "$"
      let (failure, _) = await failure(JSONElements(of: Int.self, in: Chunks(text, size: size), at: path))
      #expect(failure.map(\.description) == words, "\(failure.map(\.description) ?? "")")
    }
  }
}
