#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// The certificate authorities of a transport, in a form that makes libcurl read them once.
///
/// libcurl keeps the parsed authorities for the next connection only if they come from one file alone. With a folder
/// beside it, as Debian has by default, or from memory, each connection takes 25 ms of processor time to parse the
/// system's authorities.
enum CurlAuthorities: Sendable {
  /// libcurl's own defaults.
  case defaults
  /// Only the file that libcurl uses by default, without the folder that repeats it.
  case defaultFile
  case file(String)
  case memory(MemoryFile)
  case data(Data)
  /// Beside the default folder, where there is no default file.
  case dataAndFolder(Data)

  init(
    _ authorities: CurlTransport.CertificateAuthorities, _ library: CurlLibrary
  ) throws(CurlTransport.SetupError) {
    let file = library.authorityFile.flatMap { FileManager.default.isReadableFile(atPath: $0) ? $0 : nil }
    switch authorities {
    case .system: self = file == nil ? .defaults : .defaultFile
    case .only(let pem):
      try Self.check(pem)
      self =
        switch pem {
        case .file(let url): .file(url.path)
        case .data(let data): .data(data)
        }
    case .systemAnd(let pem):
      let own = try Self.content(of: pem)
      guard let file else {
        self = .dataAndFolder(own)
        return
      }
      self = .memory(try MemoryFile(Self.content(of: .file(URL(filePath: file))) + [0x0A] + own))
    }
  }

  var isDefault: Bool {
    switch self {
    case .defaults, .defaultFile: true
    default: false
    }
  }

  /// Checks that the file can be read, or that the content may be PEM.
  static func check(_ pem: CurlTransport.PEM) throws(CurlTransport.SetupError) {
    switch pem {
    case .file(let url):
      guard url.isFileURL, FileManager.default.isReadableFile(atPath: url.path) else {
        throw .invalidConfiguration(reason: "cannot read \(url.path)")
      }
    case .data(let data):
      guard data.firstRange(of: Data("-----BEGIN ".utf8)) != nil else {
        throw .invalidConfiguration(reason: "a certificate or key in memory is not in PEM format")
      }
    }
  }

  private static func content(of pem: CurlTransport.PEM) throws(CurlTransport.SetupError) -> Data {
    try check(pem)
    switch pem {
    case .data(let data): return data
    case .file(let url):
      do {
        return try Data(contentsOf: url)
      } catch {
        throw .invalidConfiguration(reason: "cannot read \(url.path)")
      }
    }
  }
}

/// A file in memory, which libcurl opens by its path. It takes no disk, and is gone with the last reference.
final class MemoryFile: Sendable {
  private let descriptor: Int32

  init(_ content: Data) throws(CurlTransport.SetupError) {
    descriptor = memfd_create("authorities", 1)  // MFD_CLOEXEC
    guard descriptor >= 0 else { throw .noResources(reason: String(cString: strerror(errno))) }
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: content)
    } catch {
      close(descriptor)
      throw .noResources(reason: "the certificate authorities do not fit into memory")
    }
  }

  var path: String { "/proc/self/fd/\(descriptor)" }

  deinit { close(descriptor) }
}
#endif
