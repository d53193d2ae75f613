#if canImport(CLarderCurl)
internal import Foundation

/// The body of a request, delivered piece by piece into libcurl's buffers. Used only under the loop's lock.
final class CurlUpload {
  enum Reading {
    case bytes(Int)
    /// No bytes are available yet. The demand, if any, has to be passed to the pump.
    case wait(CurlUploadPump.Demand?)
    case failed(any Error)
  }

  private enum Source {
    case bytes(Data)
    case file(FileHandle)
    case stream(CurlUploadPump)
  }

  let length: Int64?
  /// The bytes passed to libcurl since the start or the last rewind.
  private(set) var sent: Int64 = 0
  private let source: Source
  private let isOneShot: Bool
  private var piece = Data()
  private var generation = 0
  private var isReading = false
  private var hasEnded = false

  /// Nil if there is no body.
  init?(_ body: RequestBody, declaredLength: Int64?) throws(TransportError) {
    isOneShot = body.isOneShot
    switch body.content {
    case .none:
      return nil
    case .data(let data):
      source = .bytes(data)
      length = Int64(data.count)
    case .file(let url):
      do {
        let (file, size) = try Self.open(url)
        source = .file(file)
        length = size
      } catch {
        throw .requestBody(error)
      }
    case .stream(let length, let open):
      source = .stream(CurlUploadPump(open: open))
      self.length = length ?? declaredLength
    }
    guard declaredLength == nil || declaredLength == length else {
      throw .invalidRequest(reason: "Content-Length differs from the body's length")
    }
  }

  /// Opens a regular file. The errors are those that other transports report.
  private static func open(_ url: URL) throws -> (file: FileHandle, size: Int64) {
    guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
    // Nonblocking, so that opening a pipe does not block before it is rejected.
    let descriptor = Foundation.open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: throw CocoaError(.fileReadNoSuchFile)
      case EACCES, EPERM: throw CocoaError(.fileReadNoPermission)
      default: throw CocoaError(.fileReadUnknown)
      }
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CocoaError(.fileReadUnknown)
    }
    return (file, Int64(status.st_size))
  }

  /// Called before the transfer starts.
  func begin(deliver: @escaping @Sendable (Result<Data?, any Error>, _ generation: Int) -> Void) {
    if case .stream(let pump) = source { pump.begin(deliver: deliver) }
  }

  /// To be ended after the transfer, without holding a lock that a reader could need.
  var pump: CurlUploadPump? {
    if case .stream(let pump) = source { pump } else { nil }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    switch source {
    case .bytes(let data):
      let rest = data[data.index(data.startIndex, offsetBy: Int(sent))...]
      return noteSent(rest.prefix(buffer.count).copyBytes(to: buffer))
    case .file(let file):
      let size = length ?? 0
      let count = pread(file.fileDescriptor, buffer.baseAddress, min(buffer.count, Int(size - sent)), off_t(sent))
      guard count >= 0 else { return .failed(CocoaError(.fileReadUnknown)) }
      guard count > 0 || sent >= size else { return .failed(RequestBodyLengthError(expected: size, actual: sent)) }
      return noteSent(count)
    case .stream(let pump):
      return readStream(pump, into: buffer)
    }
  }

  private func readStream(_ pump: CurlUploadPump, into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    let known = sent + Int64(piece.count)
    if let length, known > length || (hasEnded && known < length) {
      return .failed(RequestBodyLengthError(expected: length, actual: known))
    }
    // The last bytes wait until the source confirms its end: libcurl would not request bytes beyond the declared
    // length.
    if hasEnded || (!piece.isEmpty && known != length) {
      let count = piece.copyBytes(to: buffer)
      piece.removeFirst(count)
      return noteSent(count)
    }
    guard !isReading else { return .wait(nil) }
    isReading = true
    return .wait(CurlUploadPump.Demand(pump: pump, generation: generation))
  }

  private func noteSent(_ count: Int) -> Reading {
    sent += Int64(count)
    return .bytes(count)
  }

  /// Accepts what the pump read, nil at the end. Returns false if it was read for an earlier attempt.
  func accept(_ next: Data?, generation: Int) -> Bool {
    guard generation == self.generation else { return false }
    isReading = false
    if let next { piece = piece.isEmpty ? next : piece + next } else { hasEnded = true }
    return true
  }

  /// Rewinds to the start. Returns false if the body can be read only once.
  func rewind() -> Bool {
    guard sent > 0 || generation > 0 || isReading else { return true }
    guard !isOneShot else { return false }
    sent = 0
    piece = Data()
    generation += 1
    isReading = false
    hasEnded = false
    return true
  }
}
#endif
