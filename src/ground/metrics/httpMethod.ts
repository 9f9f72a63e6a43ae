// Methods as labels (OpenTelemetry's HTTP conventions): senders choose them, so those that are not known are one.
const methods: ReadonlySet<string> = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  ...["OPTIONS", "CONNECT", "TRACE", "QUERY"]
])

export const methodLabel = (method: string): string => (methods.has(method) ? method : "_OTHER")
