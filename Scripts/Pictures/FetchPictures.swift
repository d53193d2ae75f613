let fetchPictures = [
  Picture(
    module: "FetchKit", name: "request-stages", title: "The stages of a request", width: 700, height: 470
  ) { canvas in
    canvas.box(190, 10, 320, 40, "client.fetch(endpoint, strategy)", .main)
    let stages = [
      ("Coalesce\njoin an identical request in progress", Style.plain),
      ("Retry\ninterceptors adapt the request for each attempt", .wait),
      ("Redirect\nfollow, and keep credentials with their origin", .plain),
      ("Cache\nanswer from the cache, or store the answer", .store),
      ("Wait for a turn\nrate limit, then concurrency limit", .wait),
      ("Transport\nlibcurl or URLSession", .plain),
    ]
    for (index, stage) in stages.enumerated() {
      let top = 70 + index * 62
      canvas.box(190, top, 320, 46, stage.0, stage.1)
      canvas.arrow((350, top - (index == 0 ? 20 : 16)), (350, top - 2))
    }
    canvas.arrow((510, 403), (630, 403), (630, 32), (512, 32))
    canvas.label(640, 200, "response", quiet: true)
    canvas.label(640, 217, "or error", quiet: true)
    canvas.arrow((510, 217), (548, 217), (548, 155), (512, 155), dashed: true)
    canvas.label(556, 190, "failed", quiet: true)
    canvas.arrow((188, 279), (120, 279), (120, 40), (188, 40), dashed: true)
    canvas.label(12, 160, "stored response,", quiet: true)
    canvas.label(12, 177, "no network", quiet: true)
    canvas.label(350, 456, "The outcome is one value or one FetchError, exactly once.", anchor: "middle", bold: true)
  },
  Picture(
    module: "FetchKit", name: "cache-decision", title: "What the cache does with a request", width: 720, height: 400
  ) { canvas in
    canvas.box(20, 20, 210, 44, "Is a response stored\nthat fits the request?")
    canvas.box(20, 110, 210, 44, "Is it fresh?")
    canvas.box(20, 200, 210, 44, "Is it within\nstale-while-revalidate?")
    canvas.box(20, 290, 210, 44, "Ask the server\nwith its ETag or date", .wait)
    let answers: [(Int, String, Style)] = [
      (20, "Ask the server, store the answer\nsource: network", .wait),
      (110, "The stored response\nsource: fresh", .good),
      (200, "The stored response, validated behind it\nsource: stale", .good),
    ]
    for answer in answers {
      canvas.box(380, answer.0, 320, 44, answer.1, answer.2)
      canvas.arrow((230, answer.0 + 22), (378, answer.0 + 22))
    }
    canvas.label(300, 34, "no", anchor: "middle", quiet: true)
    canvas.label(300, 124, "yes", anchor: "middle", quiet: true)
    canvas.label(300, 214, "yes", anchor: "middle", quiet: true)
    for (top, word) in [(64, "yes"), (154, "no"), (244, "no")] {
      canvas.arrow((125, top), (125, top + 44))
      canvas.label(135, top + 27, word, quiet: true)
    }
    canvas.box(380, 268, 320, 36, "304: the stored response, source: revalidated", .good)
    canvas.box(380, 312, 320, 36, "200: the new response, source: network", .plain)
    canvas.box(380, 356, 320, 36, "failure, within stale-if-error: source: stale", .bad)
    canvas.arrow((230, 312), (300, 312), (300, 286), (378, 286))
    canvas.arrow((300, 312), (300, 330), (378, 330))
    canvas.arrow((300, 330), (300, 374), (378, 374))
  },
  Picture(
    module: "FetchKit", name: "download-kill", title: "A download that survives a kill", width: 720, height: 330
  ) { canvas in
    canvas.box(10, 10, 330, 310, "First process", .lane)
    canvas.box(380, 10, 330, 310, "Next process, same identifier and folder", .lane)
    canvas.box(30, 50, 290, 44, "Journal: a download named poster\nwritten before the request is sent", .store)
    canvas.box(30, 118, 290, 44, "GET /poster.jpg")
    canvas.box(30, 186, 290, 44, "Part file: 6 of 10 MB\nthe bytes are with the operating system", .wait)
    canvas.box(30, 254, 290, 44, "kill -9", .bad)
    canvas.box(400, 50, 290, 44, "Journal: poster continues at 6 MB", .store)
    canvas.box(400, 118, 290, 44, "GET with Range: bytes=6…\nand If-Range: the ETag")
    canvas.box(400, 186, 290, 44, "Digest is checked, the file is moved\nthe journal knows it before", .good)
    canvas.box(400, 254, 290, 44, "DownloadEvent\ndelivered again until done() is called", .main)
    for x in [175, 545] {
      for y in [94, 162, 230] { canvas.arrow((x, y), (x, y + 22)) }
    }
    canvas.arrow((320, 276), (360, 276), (360, 72), (398, 72), dashed: true)
  },
]
