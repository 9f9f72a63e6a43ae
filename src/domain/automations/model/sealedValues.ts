// Encrypts stored run data that must stay secret (decisions O9). Values and pages may hold a weblink's address, with which anybody can
// start a run; requests may hold the credentials of their sender. Values with such a token, and values under the name of a credential, are
// encrypted in storage. A later step, in any process, decrypts them when it reads them.
import { Effect } from "effect"
import { type SealedWithin, sealedColumn } from "../../../platform/sealing/SealedColumn.ts"
import { Secrets } from "../../../platform/sealing/Secrets.ts"
import { isSecretName } from "../../../platform/text/redaction.ts"

/** Weblink tokens are random UUIDs (WeblinkMint.ts), with or without the rest of the address. */
const token = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/i
const link = /\/trigger\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi
/** Returns the tokens that stand in an address: the log must hide them, however a script has cut the address. */
export const tokensIn = (value: unknown): ReadonlyArray<string> =>
  [...(JSON.stringify(value) ?? "").matchAll(link)].map(([, found]) => found!)

/** Returns the texts of a credential in a header or parameter, with and without its scheme: the log must hide both. */
export const credentialsIn = (value: unknown): ReadonlyArray<string> =>
  [value].flat().flatMap((one) => (typeof one === "string" && one !== "" ? [one, one.replace(/^\S+\s+/, "")] : []))

const MARK = "sealed:v1:"
/** Matches a sealed part of a page, to which later steps add. */
const segment = /\[sealed:v1:([\w+/=]+)\]/g

const inJson: SealedWithin = {
  each: (value, replace) => {
    const walk = (at: unknown): unknown => {
      if (typeof at === "string") return at.startsWith(MARK) ? MARK + replace(at.slice(MARK.length)) : at
      if (Array.isArray(at)) return at.map(walk)
      if (typeof at !== "object" || at === null) return at
      return Object.fromEntries(Object.entries(at).map(([name, member]) => [name, walk(member)]))
    }
    return walk(value)
  }
}
const inText: SealedWithin = {
  text: true,
  each: (value: string, replace) => value.replace(segment, (_, sealed: string) => `[${MARK}${replace(sealed)}]`)
}

/** All columns share one encryption context, since values move from run to run. */
const columnOf = (table: string, column: string, key: ReadonlyArray<string>, form: SealedWithin) =>
  sealedColumn({
    table,
    column,
    key,
    form,
    where: `"${column}"::text LIKE '%${MARK}%'`,
    binds: [],
    context: () => "run-values"
  })

/** Columns that hold sealed values, those on the way to another run included. */
export const runValues = [
  columnOf("run_variables", "value", ["run_id", "custom_type", "label"], inJson),
  columnOf("run_outputs", "output", ["run_id", "type", "app_id"], inJson),
  columnOf("run_items", "items", ["run_id", "path", "iteration", "chunk"], inJson),
  columnOf("run_triggers", "data", ["run_id"], inJson),
  columnOf("run_pages", "html", ["run_id"], inText),
  columnOf("run_pages", "redirect", ["run_id"], inText),
  columnOf("run_pages", "answer", ["run_id"], inJson),
  columnOf("weblinks", "arguments", ["weblink_id"], inJson),
  columnOf("webhook_catches", "request", ["automation_id"], inJson),
  columnOf("automation_events", "payload", ["event_id"], inJson),
  columnOf("outbox", "payload", ["event_id"], inJson)
]
const CONTEXT = runValues[0]!.contextOf({})

export const makeSealed = Effect.gen(function* () {
  const secrets = yield* Secrets
  const encrypted = (plain: string) => Buffer.from(secrets.encrypt(plain, CONTEXT)).toString("base64")
  const decrypted = (text: string) => secrets.decrypt(Buffer.from(text, "base64"), CONTEXT)

  const seal = (value: unknown): unknown => {
    const text = JSON.stringify(value)
    return text !== undefined && token.test(text) ? MARK + encrypted(text) : value
  }
  const sealNow = (value: unknown) => MARK + encrypted(JSON.stringify(value))
  /** Seals members under the name of a credential, and values that only look sealed. */
  const sealNamed = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        const looksSealed = typeof value === "string" && value.startsWith(MARK)
        return [name, looksSealed || isSecretName(name) ? sealNow(value) : value] as const
      })
    )
  /** @param found receives each value that was sealed, so that the log can hide it */
  const openNamed = Effect.fnUntraced(function* (
    members: Readonly<Record<string, unknown>>,
    found: (value: unknown) => void
  ) {
    const opened: Array<readonly [string, unknown]> = []
    for (const [name, value] of Object.entries(members)) {
      const openedValue = yield* openValue(value)
      if (openedValue !== value) found(openedValue)
      opened.push([name, openedValue])
    }
    return Object.fromEntries(opened)
  })

  /** Opens a sealed value. A text that only looks sealed is returned as it is. */
  const openValue = (value: unknown): Effect.Effect<unknown> =>
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
    for (const match of text.matchAll(segment)) {
      const openedText = yield* Effect.catchTag(decrypted(match[1]!), "SecretUnreadable", () =>
        Effect.succeed(match[0])
      )
      out += text.slice(from, match.index) + openedText
      from = match.index + match[0].length
    }
    return out + text.slice(from)
  })

  const each = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, seal(value)]))

  return { seal, open: openValue, sealText, openText, sealEach: each, sealNamed, openNamed }
})
