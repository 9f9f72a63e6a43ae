// A call as an example shows it: addresses of nobody, nothing that looks like a secret, lists of answers no longer than three.
type Json = any

interface Called {
  readonly request: unknown
  readonly status: number
  readonly answer: unknown
}

const RANDOM = /[A-Za-z0-9_-]{32,}/g
const AT_MOST = 3

/** The mail server of an example, whatever it was recorded with. */
const mailServer: Json = { host: "mail.example.com", port: 587, security: "starttls" }
const ofMailServer = (node: Json): boolean => typeof node?.security === "string" && typeof node.port === "number"

const shown = (node: Json, origin: string): Json => {
  if (typeof node === "string")
    return node
      .replaceAll(origin, "https://app.example.com")
      .replaceAll("http://127.0.0.1:8080", "https://millrace.example.com")
      .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, "whsec_EXAMPLE")
      .replaceAll(RANDOM, "EXAMPLE")
  if (Array.isArray(node)) return node.map((item) => shown(item, origin))
  if (typeof node !== "object" || node === null) return node
  const named = ofMailServer(node) ? { ...node, ...mailServer } : node
  return Object.fromEntries(Object.entries(named).map(([key, value]) => [key, shown(value, origin)]))
}

/** A schema within an example would be taken for a part of the description. */
const isSchema = (node: Json): boolean => typeof node?.$schema === "string"

const shortened = (node: Json): Json => {
  if (Array.isArray(node)) return node.slice(0, AT_MOST).map(shortened)
  if (typeof node !== "object" || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => [key, isSchema(value) ? {} : shortened(value)])
  return Object.fromEntries(entries)
}

/** Of catalogues, the first entry. */
const brief = (operation: string, answer: Json): Json =>
  operation.startsWith("automationMeta.") && operation !== "automationMeta.filter"
    ? Object.fromEntries(
        Object.entries<Json>(answer).map(([key, value]) => [
          key,
          Array.isArray(value)
            ? [value.find((one: Json) => ["exit", "record_created"].includes(one?.type)) ?? value[0]]
            : value
        ])
      )
    : answer

export const asExample = (operation: string, { answer, request, status }: Called, origin: string) => ({
  ...(request === undefined ? {} : { request: shown(request, origin) }),
  status,
  ...(answer === undefined ? {} : { answer: shown(shortened(brief(operation, answer)), origin) })
})
