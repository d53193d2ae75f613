import LarderTestSupport
import Testing

/// Words that only programmers understand.
private let jargon = [
  "DecodingError", "LocatedDecodingError", "FetchError", "PersistenceError", "Optional(", "Context(", "CodingKeys",
  "keyNotFound", "valueNotFound", "typeMismatch", "dataCorrupted", "JSONError", "Error Domain", "NSCocoa", "Fatal",
]

/// Expects that a program reported its outcome in plain words, with one line for each message.
func expectPlainWords(_ output: ChildProcess.Output, of program: String) {
  let lines = output.errors.split(separator: "\n")
  if output.status == 0 {
    #expect(!lines.contains { $0.hasPrefix("\(program): ") }, "\(output.errors)")
  } else {
    #expect(lines.count { $0.hasPrefix("\(program): ") } == 1, "\(output.errors)")
    #expect(lines.last?.hasPrefix("\(program): ") == true, "\(output.errors)")
  }
  for line in lines {
    #expect(line.count <= 400, "\(line)")
    #expect(!jargon.contains { line.contains($0) }, "\(line)")
  }
  let turning: [ClosedRange<UInt32>] = [0x061C...0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069]
  let dangerous = (output.text + output.errors).unicodeScalars.filter { scalar in
    scalar != "\n"
      && (scalar.properties.generalCategory == .control || turning.contains { $0.contains(scalar.value) })
  }
  #expect(dangerous.isEmpty, "\(output.text + output.errors)")
}
