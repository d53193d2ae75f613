import Foundation

/// A suite of tests for HTTP caches in the format of http-tests/cache-tests: requests made one after the other on a
/// URL, the origin's responses, and the expected results.
struct CacheSuite {
  struct Test {
    var id: String
    var kind: String
    var dependsOn: [String]
    var requests: [Step]
  }

  /// One request. A property that the suite does not specify is nil.
  struct Step: Sendable {
    /// A field, with a number of seconds from now in place of a date where there is one.
    struct Field: Sendable {
      var name: String
      var value: String
      var seconds: Int?
      /// Whether the client must see the field as it was sent.
      var isChecked: Bool
    }

    enum Check: Sendable {
      case present(String)
      case equal(String, Field)
      case greater(String, Int)
    }

    var method = "GET"
    var headers: [Field] = []
    var body: String?
    var mode: String?
    var doesNotFollow = false
    var filename: String?
    var query: String?
    var hasMagicLocations = false
    var rfc850: Set<String> = []

    var status: Int?
    var responseHeaders: [Field] = []
    var responseBody: String?
    var disconnects = false
    var pausesAfter = false

    var isSetup = false
    var expectedType: String?
    /// Nil where nothing is expected; the expected value may be empty.
    var expectedStatus: Int??
    var expectedHeaders: [Check] = []
    var missingHeaders: [Check] = []
    var expectedText: String??
    var checksBody = true
    var expectedRequestHeaders: [Check] = []
    var expectedMethod: String?
  }

  /// The tests that apply to a browser: those for shared caches and those that browsers cannot run are left out.
  let tests: [Test]

  init(_ data: Data) throws {
    let suites = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    tests = suites.flatMap { $0["tests"] as? [[String: Any]] ?? [] }
      .filter { $0["cdn_only"] as? Bool != true && $0["browser_skip"] as? Bool != true }
      .map { test in
        Test(
          id: test["id"] as? String ?? "", kind: test["kind"] as? String ?? "required",
          dependsOn: test["depends_on"] as? [String] ?? [],
          requests: (test["requests"] as? [[String: Any]] ?? []).map(Step.init))
      }
  }
}

extension CacheSuite.Step {
  init(_ json: [String: Any]) {
    method = json["request_method"] as? String ?? "GET"
    headers = Self.fields(json["request_headers"])
    body = json["request_body"] as? String
    mode = json["cache"] as? String
    doesNotFollow = json["redirect"] as? String == "manual"
    filename = json["filename"] as? String
    query = json["query_arg"] as? String
    hasMagicLocations = json["magic_locations"] as? Bool ?? false
    rfc850 = Set(json["rfc850date"] as? [String] ?? [])
    status = (json["response_status"] as? [Any])?.first as? Int
    responseHeaders = Self.fields(json["response_headers"])
    responseBody = json["response_body"] as? String
    disconnects = json["disconnect"] as? Bool ?? false
    pausesAfter = json["pause_after"] as? Bool ?? false
    isSetup = json["setup"] as? Bool ?? false
    expectedType = json["expected_type"] as? String
    if let value = json["expected_status"] { expectedStatus = .some(value as? Int) }
    expectedHeaders = Self.checks(json["expected_response_headers"])
    missingHeaders = Self.checks(json["expected_response_headers_missing"])
    if let value = json["expected_response_text"] { expectedText = .some(value as? String) }
    checksBody = json["check_body"] as? Bool ?? true
    if json.keys.contains("response_body"), responseBody == nil { checksBody = false }
    expectedRequestHeaders = Self.checks(json["expected_request_headers"])
    expectedMethod = json["expected_method"] as? String
  }

  private static func fields(_ json: Any?) -> [Field] {
    (json as? [[Any]] ?? []).map(field)
  }

  private static func field(_ json: [Any]) -> Field {
    Field(
      name: json.first as? String ?? "", value: json.dropFirst().first.map { "\($0)" } ?? "",
      seconds: json.dropFirst().first as? Int, isChecked: json.dropFirst(2).first as? Bool ?? true)
  }

  private static func checks(_ json: Any?) -> [Check] {
    (json as? [Any] ?? []).compactMap { item in
      if let name = item as? String { return .present(name) }
      guard let parts = item as? [Any], let name = parts.first as? String else { return nil }
      if parts.count > 2 { return .greater(name, parts[2] as? Int ?? 0) }
      return .equal(name, field(parts))
    }
  }
}
