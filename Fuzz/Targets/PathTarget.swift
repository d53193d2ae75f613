import Foundation

@Sendable func fuzzPath(_ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  let path: JSONPath
  do throws(JSONPathError) {
    path = try JSONPath(parsing: text)
  } catch {
    _ = String(describing: error)
    return
  }
  guard let again = try? JSONPath(parsing: path.description), again == path else {
    found("\(text) prints as \(path), which is not the same")
  }
  let json = #"{"a":[1,2,{"b":null,"c":"x"}],"b":{"a":{"a":[[],[1.5,true]]}},"é":"\u00e9","":0}"#
  let document = JSONDocument(Data(json.utf8))
  do throws(LocatedDecodingError) {
    _ = try document.values(Ignored.self, at: path)
  } catch {
    guard error.kind != .malformed else { found("\(text) finds a document malformed that is not") }
    _ = error.debugDescription
  }
}
