public import FetchKit
public import Foundation

/// A transport that records the responses of another transport or replays recorded responses.
///
/// ```swift
/// // Once:
/// let recorder = try Recorder(
///   .record(URLSessionTransport()), cassette: cassette)
/// let client = FetchClient { $0.transport = recorder }
/// …
/// try recorder.save()
///
/// // From then on:
/// let player = try Recorder(.replay, cassette: cassette)
/// ```
///
/// A cassette is a JSON file that you can read and edit. Before a recorder writes the file, it hides the values of
/// `Authorization`, `Cookie` and similar header fields. The recorder also hides the values of query items and form
/// fields that carry credentials, and the string values of JSON members with the same names.
///
/// A request is answered by the first unused recording with the same method, URL (with secrets hidden) and body. A body
/// that is compressed, or read from a file or a stream, such as a multipart form, is not compared. If the mode is
/// ``Mode/replay``, a request that has no recording fails with `TransportError.invalidRequest(reason:)`, and the reason
/// describes the request. Bodies are always recorded and replayed as a whole, even if they are streamed.
public final class Recorder: Transport {
  /// How a recorder answers requests.
  public enum Mode: Sendable {
    /// Forwards all requests to the given transport and records the responses. The recordings replace the content of
    /// the cassette.
    case record(any Transport)
    /// Answers requests only from the cassette.
    case replay
    /// Answers requests from the cassette. A request that has no recording is forwarded to the given transport and
    /// recorded.
    case complete(any Transport)
  }

  private struct State: Sendable {
    var recordings: [Recording] = []
    var used: Set<Int> = []
  }

  private struct Cassette: Codable {
    var version = 1
    var recordings: [Recording]
  }

  private let mode: Mode
  private let file: URL
  private let redaction: RecordingRedaction
  private let state = Lock(State())

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - mode: How the recorder answers requests.
  ///   - cassette: The file with the recordings. If the mode is `replay`, the file must exist.
  ///   - redactedQueryItems: The names of additional query items whose values are hidden. Names that are commonly used
  ///     for credentials are always included. The values of form fields with these names, and the string values of such
  ///     JSON members, are also hidden.
  ///   - redactedHeaders: The names of header fields whose values are hidden, in addition to
  ///     `HTTPHeaders.redactedByDefault`.
  /// - Throws: Any error thrown while the cassette is read or decoded.
  public init(
    _ mode: Mode, cassette: URL, redactedQueryItems: Set<String> = [], redactedHeaders: Set<String> = []
  ) throws {
    self.mode = mode
    file = cassette
    redaction = RecordingRedaction(queryItems: redactedQueryItems, headers: redactedHeaders)
    if case .record = mode { return }
    if case .complete = mode, !FileManager.default.fileExists(atPath: cassette.path(percentEncoded: false)) { return }
    let recordings = try JSONDecoder().decode(Cassette.self, from: Data(contentsOf: cassette)).recordings
    state.withLock { $0.recordings = recordings }
  }

  /// The recordings that were read from the cassette or made by this recorder, in order.
  public var recordings: [Recording] { state.withLock { $0.recordings } }

  /// Writes the recordings to the cassette file atomically. If the folder of the file does not exist, it is created.
  ///
  /// - Throws: Any error thrown while the cassette is encoded or written.
  public func save() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(Cassette(recordings: recordings))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file, options: .atomic)
  }

  /// Answers the request from the cassette or forwards it to the other transport, depending on the mode.
  ///
  /// - Throws: The recorded error, the error thrown by the other transport, or `TransportError.invalidRequest(reason:)`
  ///   if the mode is `replay` and the cassette has no unused recording of the request.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    switch mode {
    case .record(let transport): return try await record(request, by: transport)
    case .replay:
      guard let recording = take(request) else {
        throw .invalidRequest(
          reason: "the cassette has no unused recording of \(request.method) \(redaction.text(of: request.url))")
      }
      return try replay(recording, request)
    case .complete(let transport):
      guard let recording = take(request) else { return try await record(request, by: transport) }
      return try replay(recording, request)
    }
  }

  private func take(_ request: TransportRequest) -> Recording? {
    let asked = redaction.recorded(request)
    return state.withLock { state in
      for (index, recording) in state.recordings.enumerated() where !state.used.contains(index) {
        let known = recording.request
        guard known.method == asked.method, known.url == asked.url, known.body == asked.body else { continue }
        state.used.insert(index)
        return recording
      }
      return nil
    }
  }

  private func replay(_ recording: Recording, _ request: TransportRequest) throws(TransportError) -> TransportResponse {
    guard let response = recording.response else { throw Recording.error(for: recording.fault ?? "") }
    let body = response.body.data
    guard body.count <= request.limits.body else { throw .tooLarge(.body, limit: request.limits.body) }
    var headers = HTTPHeaders()
    for line in response.headers {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      headers.append(parts[1].trimmingCharacters(in: .whitespaces), for: String(parts[0]))
    }
    return .stub(status: response.status, headers: headers, body: body)
  }

  private func record(
    _ request: TransportRequest, by transport: any Transport
  ) async throws(TransportError) -> TransportResponse {
    let asked = redaction.recorded(request)
    do throws(TransportError) {
      let response = try await transport.send(request)
      let body = try await response.body.collect(upTo: request.limits.body)
      add(Recording(request: asked, response: redaction.recorded(response.head, body), fault: nil))
      return TransportResponse(head: response.head, body: ResponseBody(body))
    } catch {
      if let word = Recording.word(for: error) { add(Recording(request: asked, response: nil, fault: word)) }
      throw error
    }
  }

  private func add(_ recording: Recording) {
    state.withLock { state in
      state.recordings.append(recording)
      state.used.insert(state.recordings.count - 1)
    }
  }
}
