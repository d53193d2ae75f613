// What the sources use of Apple's system library and of Foundation on Apple's platforms, with Apple's signatures, so
// that `#if canImport(Darwin)` is compiled on Linux too. Nothing here does anything.

// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
@_exported import FoundationNetworking
@_exported import Glibc

public let F_BARRIERFSYNC: Int32 = 85
public let F_FULLFSYNC: Int32 = 51
public let SOCK_STREAM: Int32 = 1
public let SO_NOSIGPIPE: Int32 = 0x1022

public func pthread_main_np() -> Int32 { 0 }

public func sysctlbyname(
  _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?, _ count: UnsafeMutablePointer<Int>?,
  _ new: UnsafeMutableRawPointer?, _ newCount: Int
) -> Int32 { -1 }

extension stat {
  public var st_mtimespec: timespec { st_mtim }
}

extension URLSessionConfiguration {
  public var waitsForConnectivity: Bool {
    get { false }
    set {}
  }
  public var allowsExpensiveNetworkAccess: Bool {
    get { true }
    set {}
  }
  public var allowsConstrainedNetworkAccess: Bool {
    get { true }
    set {}
  }
}
