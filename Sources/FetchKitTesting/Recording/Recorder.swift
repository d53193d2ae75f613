public import FetchKit
public import Foundation

/// A transport that records what another one does, or replays what was recorded.
///
/// ```swift
/// let recorder = try Recorder(.record(URLSessionTransport()), cassette: cassette)     // once
/// let client = FetchClient { $0.transport = recorder }
/// …
/// try recorder.save()
///
/// let player = try Recorder(.replay, cassette: cassette)                            // from then on
/// ```
///
/// A cassette is JSON that can be read and edited. The values of `Authorization`, cookies and the like, of query items
/// and form fields that carry credentials, and of JSON members named like them, are hidden before anything is written.
///
/// A request is answered by the first recording not used yet that has the same method, URL (secrets hidden) and body;
/// one that is read from a file or a stream, as a multipart form is, is not looked at. A request that was not recorded
/// fails as `TransportError.invalidRequest(reason:)`, with a sentence that names it. Bodies are recorded and replayed
/// in one piece, also for streams.
public final class Recorder: Transport {
  /// What a recorder does.
  public enum Mode: Sendable {
    /// Hands requests on and records what comes of them, in place of what the cassette held.
    case record(any Transport)
    /// Answers from the cassette alone.
    case replay
    /// Answers from the cassette, and records what it lacks.
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

  /// A recorder.
  ///
  /// - Parameters:
  ///   - mode: Whether to record, to replay, or to replay what there is and record the rest.
  ///   - cassette: Where the recordings are; need not exist unless they are replayed.
  ///   - redactedQueryItems: Names to hide besides those that carry credentials nearly everywhere; JSON members too.
  ///   - redactedHeaders: Names to hide besides `HTTPHeaders.redactedByDefault`.
  /// - Throws: what reading or decoding the cassette throws.
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

  /// What has been recorded or read, in order.
  public var recordings: [Recording] { state.withLock { $0.recordings } }

  /// Writes the cassette, all of it or, when that fails, nothing; its folder is made where it is missing.
  ///
  /// - Throws: what encoding or writing throws.
  public func save() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(Cassette(recordings: recordings))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file, options: .atomic)
  }

  /// Answers from the cassette or by the other transport, as the mode says.
  ///
  /// - Throws: the fault recorded or the other transport's error.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    switch mode {
    case .record(let transport): return try await record(request, by: transport)
    case .replay:
      guard let recording = take(request) else {
        throw .invalidRequest(reason: "not on the cassette: \(request.method) \(redaction.text(of: request.url))")
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
