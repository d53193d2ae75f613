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
/// A cassette is a readable, editable JSON file. Before anything is written, the values of `Authorization`, cookies and
/// similar header fields are hidden. The values of query items and form fields that carry credentials are also hidden,
/// and so are those of JSON members with the same names.
///
/// A request is answered by the first unused recording with the same method, URL (with secrets hidden) and body. A body
/// that is read from a file or a stream, such as a multipart form, is not compared. A request that has no recording
/// fails with `TransportError.invalidRequest(reason:)`, whose reason describes the request. Bodies are always recorded
/// and replayed as a whole, even if they are streamed.
public final class Recorder: Transport {
  /// The mode of a recorder.
  public enum Mode: Sendable {
    /// Forwards requests and records the responses, replacing the cassette's content.
    case record(any Transport)
    /// Answers requests only from the cassette.
    case replay
    /// Answers requests from the cassette, and forwards and records requests that are missing from it.
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
  ///   - mode: Whether to record, to replay, or to replay existing recordings and record the rest.
  ///   - cassette: The file with the recordings. It does not have to exist unless the mode is `replay`.
  ///   - redactedQueryItems: Names of query items to hide, in addition to the names that are commonly used for
  ///     credentials. The names also apply to JSON members.
  ///   - redactedHeaders: Names of header fields to hide, in addition to `HTTPHeaders.redactedByDefault`.
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

  /// The recordings that have been read or made so far, in order.
  public var recordings: [Recording] { state.withLock { $0.recordings } }

  /// Writes the cassette atomically. Its folder is created if it does not exist.
  ///
  /// - Throws: Any error thrown while the cassette is encoded or written.
  public func save() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(Cassette(recordings: recordings))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file, options: .atomic)
  }

  /// Answers the request from the cassette or through the other transport, depending on the mode.
  ///
  /// - Throws: The recorded fault, or the error thrown by the other transport.
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
