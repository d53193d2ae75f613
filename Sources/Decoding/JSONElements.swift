public import Foundation

/// The elements of a JSON stream, decoded one by one while its bytes arrive.
///
/// ```swift
/// for try await photo in JSONElements(of: Photo.self, in: chunks, at: "photos.photo") { … }
/// for try await event in JSONElements(of: Event.self, in: chunks, format: .lines) { … }
/// ```
///
/// The chunks are `Data`, `[UInt8]` or other contiguous bytes, cut anywhere. Memory is that of a chunk and the largest
/// element, whatever the length of the stream; ``JSONElementOptions`` bounds the element. Each byte is looked at once
/// to find the elements, and once more to decode them.
///
/// The stream is in UTF-8, with or without a byte order mark.
///
/// Iterating throws ``DecodingFailure``, whose path holds the element's index and whose position counts from the
/// beginning of the stream, or what the chunks' own sequence throws; after an error there are no more elements.
/// Elements are decoded in the isolation of whoever iterates.
public struct JSONElements<Element: Decodable, Base: AsyncSequence>: AsyncSequence
where Base.Element: ContiguousBytes {
  let base: Base
  let format: JSONStreamFormat
  let decoder: JSONBytesDecoder
  let options: JSONElementOptions

  /// The elements of the array that a path leads to in a document that arrives in chunks.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - base: The chunks of the document.
  ///   - path: The path of the array, or of its elements: `photos.photo` or `photos.photo[*]`.
  ///   - decoder: What decodes the elements; its options are read when iteration begins.
  ///   - options: Limits, and what is done with elements that cannot be decoded.
  public init(
    of type: Element.Type = Element.self, in base: Base, at path: JSONPath = .root,
    decoder: JSONBytesDecoder = JSONBytesDecoder(), options: JSONElementOptions = JSONElementOptions()
  ) {
    self.init(of: type, in: base, format: .array(at: path), decoder: decoder, options: options)
  }

  /// The elements of a stream in any of the formats.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - base: The chunks of the stream.
  ///   - format: How the elements are told apart.
  ///   - decoder: What decodes the elements; its options are read when iteration begins.
  ///   - options: Limits, and what is done with elements that cannot be decoded.
  public init(
    of type: Element.Type = Element.self, in base: Base, format: JSONStreamFormat,
    decoder: JSONBytesDecoder = JSONBytesDecoder(), options: JSONElementOptions = JSONElementOptions()
  ) {
    self.base = base
    self.format = format
    self.decoder = decoder
    self.options = options
  }

  /// Begins to iterate; nothing is read before the first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      base: base.makeAsyncIterator(),
      source: ElementSource(format: format, options: options, decoder: decoder))
  }

  /// Reads chunks as elements are asked for.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var base: Base.AsyncIterator
    @usableFromInline let source: ElementSource

    init(base: Base.AsyncIterator, source: ElementSource) {
      self.base = base
      self.source = source
    }

    /// The next element, or nil at the end; see ``JSONElements`` for what is thrown.
    @inlinable
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// The next element, or nil at the end; see ``JSONElements`` for what is thrown.
    // Inlinable, for a generic asynchronous function costs as much as decoding a small element.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      while true {
        switch try source.next() {
        case .end: return nil
        case .element(let range):
          do throws(DecodingFailure) {
            return try source.decode(Element.self, range)
          } catch {
            try source.drop(error)
          }
        case .needsBytes:
          do {
            if let chunk = try await base.next(isolation: actor) {
              source.append(chunk)
            } else {
              source.finish()
            }
          } catch {
            source.stop()
            throw error
          }
        }
      }
    }
  }
}

extension JSONElements: Sendable where Base: Sendable {}
