import BenchmarkSupport
import Decoding
import Foundation

/// Typed objects beside msgspec, which is written in C for Python, where `python3` has it; otherwise without a peer.
extension Benchmark {
  static var msgspec: [Benchmark] {
    pair(
      "records", Shapes.records, "dict[str, Record]",
      """
      class Record(Struct):
          id: int
          name: str
          isActive: bool
          score: float
          tags: list[str]
          created: str
          kind: str
          parent: int | UnsetType = UNSET
      """)
      + pair(
        "readings", Shapes.readings, "list[Reading]",
        """
        class Reading(Struct):
            altitude: int
            battery: float
            city: str
            device: int
            isValid: bool
            latitude: float
            longitude: float
            pressure: int
            station: str
            temperature: float
        """)
  }

  /// - Parameters:
  ///   - type: The type in Python.
  ///   - declaration: What it consists of.
  private static func pair<Value: Codable>(
    _ work: String, _ value: @autoclosure @escaping () -> Value, _ type: String, _ declaration: String
  ) -> [Benchmark] {
    lazy var value = value()
    lazy var document = Shapes.document(value)
    let (decoder, encoder) = (JSONBytesDecoder(), JSONBytesEncoder())
    func peers(_ body: String, must: Double, goal: Double) -> [Peer] {
      guard hasMsgspec else { return [] }
      let program = setUp + declaration + "\nbody = lambda: \(body)\ntype = \(type)\n" + measure
      return [Peer("msgspec", must: must, goal: goal) { try python(program, document) }]
    }
    return [
      Benchmark(
        "decode: typed \(work), msgspec", unit: "µs",
        ours: { try microseconds(repeats: 3) { try decoder.decode(Value.self, from: document) } },
        peers: peers("msgspec.json.decode(data, type=type)", must: 0.45, goal: 0.7)),
      Benchmark(
        "encode: typed \(work), msgspec", unit: "µs",
        ours: { try microseconds(repeats: 3) { try encoder.encode(value) } },
        peers: peers("msgspec.json.encode(value)", must: 0.25, goal: 0.5)),
    ]
  }

  private static let setUp = """
    import msgspec, sys, time
    from msgspec import Struct, UNSET, UnsetType

    """

  private static let measure = """
    data = sys.stdin.buffer.read()
    value = msgspec.json.decode(data, type=type)
    body()
    start = time.perf_counter()
    for _ in range(3): body()
    print((time.perf_counter() - start) / 3 * 1e6)
    """

  private static let hasMsgspec = (try? python("import msgspec; print(1)", Data())) != nil

  /// Runs a program that prints a number.
  private static func python(_ program: String, _ input: Data) throws -> Double {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try input.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program]
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let number = Double(printed.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw WrongResult("python3 printed no number")
    }
    return number
  }
}
