// What a run keeps may hold the address of a weblink, with which anybody may start a run: values and pages with such a token are
// encrypted where they are stored (decisions O9), and opened where a later step, in any process, reads them.
import { Effect } from "effect"
import { Secrets } from "../../Secrets.ts"

/** Weblinks' tokens are random UUIDs (runs/Weblinks.ts), with or without the rest of the address. */
const token = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/i
const link = /\/trigger\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi
/** Those that stand in an address: what the log must not show, however a script has cut it. */
export const tokensIn = (value: unknown): ReadonlyArray<string> =>
  [...(JSON.stringify(value) ?? "").matchAll(link)].map(([, found]) => found!)

const MARK = "sealed:v1:"
const CONTEXT = "run-values"
/** Of a page, which later steps add to. */
const segment = /\[sealed:v1:([\w+/=]+)\]/g

export const makeSealed = Effect.gen(function* () {
  const secrets = yield* Secrets
  const encrypted = (plain: string) => Buffer.from(secrets.encrypt(plain, CONTEXT)).toString("base64")
  const decrypted = (text: string) => secrets.decrypt(Buffer.from(text, "base64"), CONTEXT)

  const seal = (value: unknown): unknown => {
    const text = JSON.stringify(value)
    return text !== undefined && token.test(text) ? MARK + encrypted(text) : value
  }
  /** A text that only looks sealed is what it is. */
  const open = (value: unknown): Effect.Effect<unknown> =>
    typeof value === "string" && value.startsWith(MARK)
      ? decrypted(value.slice(MARK.length)).pipe(
          Effect.map((text): unknown => JSON.parse(text)),
          Effect.catchTag("SecretUnreadable", () => Effect.succeed(value))
        )
      : Effect.succeed(value)

  const sealText = (text: string): string => (token.test(text) ? `[${MARK}${encrypted(text)}]` : text)
  const openText = Effect.fnUntraced(function* (text: string) {
    let out = ""
    let from = 0
    for (const found of text.matchAll(segment)) {
      const plain = yield* Effect.catchTag(decrypted(found[1]!), "SecretUnreadable", () => Effect.succeed(found[0]))
      out += text.slice(from, found.index) + plain
      from = found.index + found[0].length
    }
    return out + text.slice(from)
  })

  const each = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, seal(value)]))

  return { seal, open, sealText, openText, sealEach: each }
})
