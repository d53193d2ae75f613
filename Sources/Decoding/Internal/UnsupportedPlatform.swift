// Watches up to Series 8 have a 32-bit `Int`. Docs/Apple.md describes what supporting them requires.
#if os(watchOS)
#error("Larder does not support watchOS; see Docs/Apple.md.")
#endif
