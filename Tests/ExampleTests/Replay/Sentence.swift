import TestSupport
import Testing

/// Words that mean something to a programmer only.
private let jargon = [
  "DecodingError", "DecodingFailure", "FetchError", "PersistenceError", "Optional(", "Context(", "CodingKeys",
  "keyNotFound", "valueNotFound", "typeMismatch", "dataCorrupted", "Error Domain", "NSCocoa", "Fatal",
]

/// Expects that a program said how it went in words that a person understands, in one line for each thing said.
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
  let dangerous = (output.text + output.errors).unicodeScalars.filter {
    $0 != "\n" && ($0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value))
  }
  #expect(dangerous.isEmpty, "\(output.text + output.errors)")
}
