#if os(Linux)
import FetchKitTesting
import Foundation
import Glibc
import LarderTestSupport

/// nginx as a child process that speaks TLS and HTTP/2 in front of ``LoopbackServer``s, with certificates made for it.
///
/// One serves all tests: the first path component is the port of the server behind it. The suites that need it run only
/// where the programs `nginx` and `openssl` are installed, and say so where they are not.
final class NginxServer: Sendable {
  struct NginxError: Error, CustomStringConvertible {
    let description: String
  }

  static let isInstalled = program("nginx") != nil && program("openssl") != nil
  /// Whether it can do the TLS of an ``HTTP2Peer``: its module for streams is a separate package, Debian's
  /// `libnginx-mod-stream`.
  static let hasStreams = isInstalled && streamModule != nil
  static let shared = Result { try NginxServer() }

  let folder: URL
  /// The base64 of the SHA-256 of the server's public key, as openssl sees it.
  let pin: String
  /// HTTP/2 and HTTP/1.1 over TLS, `localhost` and 127.0.0.1 in the certificate.
  let port: UInt16
  /// The same, but requests a client certificate.
  let clientCertificatePort: UInt16
  /// Over TLS 1.2 only.
  let oldTLSPort: UInt16
  /// With a certificate for another host.
  let otherHostPort: UInt16
  /// Ends each connection after three requests: over HTTP/2 with a GOAWAY.
  let shortLivedPort: UInt16
  /// Removes the TLS from connections, HTTP/2 where the client offers it, and forwards the bytes to the port that a
  /// line of the PROXY protocol names first. Only where ``hasStreams``.
  let streamPort: UInt16

  /// The folder whose files nginx serves itself.
  var files: URL { folder.appending(path: "files") }
  var authority: URL { folder.appending(path: "ca.pem") }

  private init() throws {
    guard let nginx = Self.program("nginx") else { throw NginxError(description: "nginx is not installed") }
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "files"), withIntermediateDirectories: true)
    try Shell.run(Self.certificates, in: folder)
    pin = try Data(contentsOf: folder.appending(path: "pin")).base64EncodedString()
    let ports = try (0..<6).map { _ in try RawPeer(serve: nil) }.map(\.port)
    (port, clientCertificatePort, oldTLSPort, otherHostPort) = (ports[0], ports[1], ports[2], ports[3])
    (shortLivedPort, streamPort) = (ports[4], ports[5])
    try Self.configuration(folder.path, ports)
      .write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
    let path = folder.path
    try Shell.keep(
      "sh -c \"trap 'kill \\$!; rm -r \(path)' TERM; \(nginx.path) -p \(path) -c nginx.conf -e error.log & wait\"")
    for port in Self.hasStreams ? ports : ports.dropLast() { try Self.waitUntilListening(port) }
  }

  /// A URL of nginx's that requests that path from the server.
  func url(
    _ path: String, of server: LoopbackServer, host: String = "localhost", port: UInt16? = nil
  ) throws -> URL {
    guard let url = URL(string: "https://\(host):\(port ?? self.port)/\(server.port)\(path)") else {
      throw URLError(.badURL)
    }
    return url
  }

  /// The URL of a file in ``files``. A request from the start is served slowly, 512 KiB a second, so that a download
  /// can be stopped partway; a range is served as fast as possible.
  func fileURL(_ name: String) throws -> URL {
    guard let url = URL(string: "https://localhost:\(port)/files/\(name)") else { throw URLError(.badURL) }
    return url
  }

  private static func configuration(_ folder: String, _ ports: [UInt16]) -> String {
    func server(_ port: UInt16, _ listen: String, _ certificate: String, _ more: String = "") -> String {
      """
        server {
          listen 127.0.0.1:\(port) \(listen);
          ssl_certificate \(folder)/\(certificate).pem;
          ssl_certificate_key \(folder)/\(certificate).key;
          \(more)
          location ^~ /files/ { root \(folder); limit_rate $file_rate; }
          location ~ ^/(?<upstream>[0-9]+)(?<path>/.*)$ {
            proxy_pass http://127.0.0.1:$upstream$path;
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $upgrade;
            proxy_set_header X-Protocol $server_protocol;
            proxy_set_header X-Client $ssl_client_s_dn;
            proxy_set_header X-Connection $connection;
            proxy_set_header X-Session $ssl_session_reused;
            proxy_buffering off;
            proxy_request_buffering off;
            client_max_body_size 0;
          }
        }

      """
    }
    let streams = """
      stream {
        server {
          listen 127.0.0.1:\(ports[5]) ssl proxy_protocol;
          ssl_certificate \(folder)/server.pem;
          ssl_certificate_key \(folder)/server.key;
          ssl_alpn h2 http/1.1;
          proxy_pass 127.0.0.1:$proxy_protocol_server_port;
        }
      }
      """
    return """
      \(streamModule ?? "")
      daemon off;
      master_process off;
      pid pid;
      worker_rlimit_nofile 20000;
      events { worker_connections 8192; }
      http {
        access_log off;
        map $http_range $file_rate { "" 512k; default 0; }
        map $http_upgrade $upgrade { "" ""; default upgrade; }
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
      \(server(ports[0], "ssl http2", "server"))
      \(server(ports[1], "ssl http2", "server", "ssl_client_certificate \(folder)/ca.pem; ssl_verify_client on;"))
      \(server(ports[2], "ssl", "server", "ssl_protocols TLSv1.2;"))
      \(server(ports[3], "ssl", "other"))
      \(server(ports[4], "ssl http2", "server", "keepalive_requests 3; ssl_session_cache shared:sessions:1m; ssl_protocols TLSv1.2 TLSv1.3;"))
      }
      \(hasStreams ? streams : "")
      """
  }

  /// The configuration that loads the module for streams: empty where it is built in; nil where nginx has none that
  /// negotiates HTTP/2.
  private static let streamModule: String? = {
    guard let nginx = program("nginx") else { return nil }
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-nginx-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let folders = ["/usr/lib/nginx/modules", "/usr/lib64/nginx/modules", "/usr/local/lib/nginx/modules"]
    return ([""] + folders.map { "load_module \($0)/ngx_stream_module.so;" }).first { line in
      let configuration = "\(line) pid pid; events {} stream { ssl_alpn h2; }"
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try configuration.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
        try Shell.run("\(nginx.path) -t -q -p . -c nginx.conf -e error.log", in: folder)
        return true
      } catch {
        return false
      }
    }
  }()

  private static let certificates = """
    set -e
    curve="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    openssl req -x509 -keyout ca.key -out ca.pem -subj "/CN=Larder test authority" $curve
    sign() {
      echo "$3" > $1.ext
      openssl req -new -keyout $1.key -out $1.csr -subj "/CN=$2" $curve
      openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile $1.ext -out $1.pem
    }
    sign server localhost "subjectAltName=DNS:localhost,IP:127.0.0.1"
    sign other other.example "subjectAltName=DNS:other.example"
    sign client "the client" "extendedKeyUsage=clientAuth"
    openssl ec -in client.key -aes128 -passout pass:s3cret -out locked.key
    openssl x509 -in server.pem -pubkey -noout -out public.pem
    openssl pkey -pubin -in public.pem -outform DER -out public.der
    openssl dgst -sha256 -binary -out pin public.der
    """

  private static func program(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (path.split(separator: ":") + ["/usr/sbin", "/usr/local/sbin"]).lazy
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  private static func waitUntilListening(_ port: UInt16) throws {
    for _ in 0..<2000 {
      if (try? FillerConnection(to: port, waits: true)) != nil { return }
      usleep(5000)  // nothing reports when nginx listens
    }
    throw NginxError(description: "nginx does not listen")
  }
}
#endif
