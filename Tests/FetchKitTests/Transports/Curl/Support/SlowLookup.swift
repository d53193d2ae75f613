#if os(Linux)
import Foundation
public import Glibc

import FetchKit

/// A name whose look-up hangs until the process ends.
///
/// `getaddrinfo` below replaces libc's for the whole test program, libcurl included, and forwards every other
/// name.
final class SlowLookup: Sendable {
  static let host = "slow-lookup.test"
  static let shared = SlowLookup()

  private let hanging = Lock(0)

  var isHanging: Bool { count > 0 }
  /// How many look-ups hang.
  var count: Int { hanging.withLock { $0 } }

  fileprivate func hang() {
    hanging.withLock { $0 += 1 }
    while true { pause() }
  }
}

private typealias Lookup =
  @convention(c) (
    UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<addrinfo>?,
    UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
  ) -> Int32

@_cdecl("getaddrinfo")
public func lookUp(
  _ name: UnsafePointer<CChar>?, _ service: UnsafePointer<CChar>?, _ hints: UnsafePointer<addrinfo>?,
  _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> Int32 {
  if let name, String(cString: name) == SlowLookup.host { SlowLookup.shared.hang() }
  let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
  guard let symbol = dlsym(next, "getaddrinfo") else { return EAI_FAIL }
  return unsafeBitCast(symbol, to: Lookup.self)(name, service, hints, result)
}
#endif
