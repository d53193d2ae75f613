/// A transport that itself sets how to end a request's ``TransportRequest/wait``. With any other transport, the
/// request runs in a task of its own.
protocol InterruptibleTransport: Transport {}
