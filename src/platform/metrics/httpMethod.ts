// Maps methods to labels (OpenTelemetry's HTTP conventions): senders choose methods, so all unknown ones share one label.
const methods: ReadonlySet<string> = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  ...["OPTIONS", "CONNECT", "TRACE", "QUERY"]
])

export const methodLabel = (method: string): string => (methods.has(method) ? method : "_OTHER")
