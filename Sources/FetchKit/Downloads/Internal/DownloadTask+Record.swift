extension DownloadTask {
  init(_ record: DownloadRecord, state: State, received: Int64, in files: SessionFiles) {
    self.init(
      name: record.name, state: state, request: record.request.request, priority: record.priority,
      destination: files.url(stored: record.destination), digest: record.digest, receivedBytes: received,
      totalBytes: record.total, suggestedFileName: record.suggestedFileName)
  }
}
