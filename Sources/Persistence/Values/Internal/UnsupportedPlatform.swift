// Watches up to Series 8 have a 32-bit `Int`. Docs/Apple.md says what that would take.
#if os(watchOS)
#error("Larder does not support watchOS; see Docs/Apple.md.")
#endif
