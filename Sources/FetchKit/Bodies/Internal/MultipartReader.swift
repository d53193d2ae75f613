internal import Foundation

/// Reads the pieces of a form. Files are read in chunks of 64 KiB.
actor MultipartReader {
  enum Piece: Sendable {
    case data(Data)
    case file(URL, length: Int64)

    var length: Int64 {
      switch self {
      case .data(let data): Int64(data.count)
      case .file(_, let length): length
      }
    }
  }

  private static let partSize: Int64 = 64 << 10

  private var pieces: ArraySlice<Piece>
  private var open: (handle: FileHandle, rest: Int64)?

  init(_ pieces: [Piece]) {
    self.pieces = pieces[...]
  }

  func next() throws -> Data? {
    while true {
      if let (handle, rest) = open {
        if rest > 0 {
          guard let part = try handle.read(upToCount: Int(min(rest, Self.partSize))), !part.isEmpty else {
            throw CocoaError(.fileReadCorruptFile)
          }
          open = (handle, rest - Int64(part.count))
          return part
        }
        try handle.close()
        open = nil
      }
      switch pieces.popFirst() {
      case .data(let data): if !data.isEmpty { return data }
      case .file(let file, let length): open = (try FileHandle(forReadingFrom: file), length)
      case nil: return nil
      }
    }
  }
}
