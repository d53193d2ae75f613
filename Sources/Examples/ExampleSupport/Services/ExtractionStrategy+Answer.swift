import Decoding
public import FetchKit
import Foundation

extension ExtractionStrategy where Value: Decodable {
  /// Decodes a value from the JSON body of a response. If the body cannot be decoded but contains an error message from
  /// the service, the strategy throws a `Failure` with that message, because some services report errors with status
  /// code 200.
  public static var answer: Self {
    Self { response in
      guard !response.body.isEmpty else { throw Failure("the server's response is empty") }
      do {
        return try JSONDecoder().decode(Value.self, from: response.body, at: "$")
      } catch {
        guard let message = ServiceMessage.find(in: response.body) else { throw error }
        throw Failure("the service says: \(message)")
      }
    }
  }
}
