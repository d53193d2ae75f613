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
///
/// Each connection of a WebSocket is a recording too. When it is replayed, a message is received once your program has
/// sent what it had sent before, in the same order; another message fails with `WebSocketError.violation(reason:)`.
/// So encode JSON with sorted keys, and inject times and identifiers. Pings are answered and not recorded. Secrets are
/// hidden in messages that contain JSON, not in other texts.
public final class Recorder: SocketTransport {
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
    if let recording = try take(request, isSocket: false) {
      let body = recording.response?.body.data ?? Data()
      guard body.count <= request.limits.body else { throw .tooLarge(.body, limit: request.limits.body) }
      return TransportResponse(head: try head(of: recording), body: ResponseBody(body))
    }
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

  /// Opens a WebSocket of the cassette, or of the other transport, depending on the mode.
  ///
  /// - Throws: As ``send(_:)``, and `TransportError.invalidRequest(reason:)` if the other transport opens no
  ///   WebSockets.
  public func openSocket(
    _ request: TransportRequest, _ options: WebSocketOptions
  ) async throws(TransportError) -> SocketResponse {
    try request.validate()
    if let recording = try take(request, isSocket: true) {
      let head = try head(of: recording)
      guard head.status == 101 else { return SocketResponse(head: head, body: recording.response?.body.data ?? Data()) }
      let socket = ReplayedSocket(
        recording.socket ?? [], subprotocol: head.headers["Sec-WebSocket-Protocol"], options, redaction)
      return SocketResponse(head: head, connection: socket)
    }
    guard let transport = transport as? any SocketTransport else {
      throw .invalidRequest(reason: "the transport opens no WebSockets")
    }
    let asked = redaction.recorded(request)
    do throws(TransportError) {
      var response = try await transport.openSocket(request, options)
      let recorded = redaction.recorded(response.head, response.body)
      let index = add(Recording(request: asked, response: recorded, fault: nil, socket: []))
      if let connection = response.connection {
        response.connection = RecordedSocket(connection, redaction) { [state] event in
          state.withLock { $0.recordings[index].socket?.append(event) }
        }
      }
      return response
    } catch {
      if let word = Recording.word(for: error) {
        add(Recording(request: asked, response: nil, fault: word, socket: []))
      }
      throw error
    }
  }

  /// The transport that answers what the cassette does not. With ``Mode/replay``, it is never used.
  private var transport: any Transport {
    switch mode {
    case .record(let transport), .complete(let transport): transport
    case .replay: self
    }
  }

  /// Returns an unused recording of the request, or nil if it has to be recorded.
  private func take(_ request: TransportRequest, isSocket: Bool) throws(TransportError) -> Recording? {
    if case .record = mode { return nil }
    let asked = redaction.recorded(request)
    let recording = state.withLock { state -> Recording? in
      for (index, recording) in state.recordings.enumerated() where !state.used.contains(index) {
        let known = recording.request
        guard known.method == asked.method, known.url == asked.url, known.body == asked.body,
          (recording.socket != nil) == isSocket
        else { continue }
        state.used.insert(index)
        return recording
      }
      return nil
    }
    if recording == nil, case .replay = mode {
      throw .invalidRequest(
        reason: "the cassette has no unused recording of \(request.method) \(redaction.text(of: request.url))")
    }
    return recording
  }

  private func head(of recording: Recording) throws(TransportError) -> ResponseHead {
    guard let response = recording.response else { throw Recording.error(for: recording.fault ?? "") }
    var headers = HTTPHeaders()
    for line in response.headers {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      headers.append(parts[1].trimmingCharacters(in: .whitespaces), for: String(parts[0]))
    }
    return ResponseHead(status: response.status, headers: headers)
  }

  /// Returns the index of the recording.
  @discardableResult
  private func add(_ recording: Recording) -> Int {
    state.withLock { state in
      state.recordings.append(recording)
      state.used.insert(state.recordings.count - 1)
      return state.recordings.count - 1
    }
  }
}
