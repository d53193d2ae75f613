import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What `socket` takes. Here, because in a module that also loads libcurl's the compiler may find Glibc's names there,
/// depending on what it compiles together.
public enum SocketKind {
  #if canImport(Darwin)
  public static let stream = SOCK_STREAM
  public static let datagram = SOCK_DGRAM
  #else
  public static let stream = Int32(SOCK_STREAM.rawValue)
  public static let datagram = Int32(SOCK_DGRAM.rawValue)
  public static let nonBlocking = Int32(SOCK_NONBLOCK.rawValue)
  public static let closesOnExec = Int32(SOCK_CLOEXEC.rawValue)
  #endif
}
