internal import Foundation

/// Reads the pieces of a form, or one whole body. Files are read in chunks of 64 KiB.
actor MultipartReader {
  enum Piece: Sendable {
    case data(Data)
    case file(URL, length: Int64)
    case stream(length: Int64?, @Sendable () throws -> RequestBody.Reader)

    /// - Throws: A `CocoaError` if a file is missing, is not a regular file or is not readable.
    init(_ content: RequestBody.Content) throws {
      switch content {
      case .none: self = .data(Data())
      case .data(let data): self = .data(data)
      case .file(let file): self = .file(file, length: try file.lengthOfRegularFile())
      case .stream(let length, let open): self = .stream(length: length, open)
      }
    }

    var length: Int64? {
      switch self {
      case .data(let data): Int64(data.count)
      case .file(_, let length): length
      case .stream(let length, _): length
      }
    }
  }

  /// The piece that is being read.
  private enum Source {
    case file(FileHandle, rest: Int64)
    case stream(RequestBody.Reader, read: Int64, length: Int64?)
  }

  private static let partSize: Int64 = 64 << 10

  private var pieces: ArraySlice<Piece>
  private var open: Source?

  init(_ pieces: [Piece]) {
    self.pieces = pieces[...]
  }

  func next() async throws -> Data? {
    while true {
      if let open, let part = try await next(from: open) { return part }
      open = nil
      switch pieces.popFirst() {
      case .data(let data): if !data.isEmpty { return data }
      case .file(let file, let length): open = .file(try FileHandle(forReadingFrom: file), rest: length)
      case .stream(let length, let opening): open = .stream(try opening(), read: 0, length: length)
      case nil: return nil
      }
    }
  }

  /// Returns the next bytes of a piece, or nil at its end.
  private func next(from source: Source) async throws -> Data? {
    switch source {
    case .file(let handle, 0):
      try handle.close()
      return nil
    case .file(let handle, let rest):
      guard let part = try handle.read(upToCount: Int(min(rest, Self.partSize))), !part.isEmpty else {
        throw CocoaError(.fileReadCorruptFile)
      }
      open = .file(handle, rest: rest - Int64(part.count))
      return part
    case .stream(let reader, let read, let length):
      let part = try await reader()
      let total = read + Int64(part?.count ?? 0)
      // Another part's error would otherwise make up for it.
      if let length, part == nil ? total < length : total > length {
        throw RequestBodyLengthError(expected: length, actual: total)
      }
      open = .stream(reader, read: total, length: length)
      return part
    }
  }
}
