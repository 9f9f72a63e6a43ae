// Hides secrets in the run log (developer-api.md 7.11): what a step has named as secret, values under the name of a credential in headers,
// queries, forms and JSON, user info of addresses, and addresses that are credentials themselves. Pure, and linear (P8).

import { JSON_LEVELS, jsonLength, plainOf } from "../bounds/jsonLength.ts"
import { textExcess } from "../bounds/jsonText.ts"
import { type Machine, machineOf, replaceWords } from "./words.ts"

export const HIDDEN = "•••"

/** Names under which credentials travel, wherever they stand. */
const names =
  /authorization|cookie|token|secret|passw(?:or)?d|passphrase|\bpwd\b|credential|signature|jwt|(?:api|access|auth|private|subscription)[-_]?key|session[-_]?id/i
/** Ends of names that describe a credential and are not one. */
const about = /(?:tokens|type|count|limit|url|uri|endpoint|expires|expires[-_]?in|expiry)$/i
/** Names that mean a credential in the query or form of a request, and many things elsewhere. */
const asParameter = /(?:^|[-_])key$|^(?:code|sig|auth|pass|otp|pin|ticket|assertion|hmac)$/i

export const isSecretName = (name: string): boolean => names.test(name) && !about.test(name)
const isSecretParameter = (name: string): boolean => isSecretName(name) || asParameter.test(name)

/** Least length of a secret that is hidden: shorter ones would hide innocent text. */
const SECRET_AT_LEAST = 4

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return text
  }
}

/** Calls `found` with each form of a secret: as written, decoded, and as a client encodes it. */
const each = (value: string, found: (secret: string) => void): void => {
  const decodedValue = decoded(value)
  for (const form of [value, decodedValue, encodeURIComponent(decodedValue.toWellFormed())]) found(form)
}

const userInfo = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/i
const parameter = /(^|[?&;#])([^=&;#?]*)=([^&;#]*)/g

const withoutParameters = (
  text: string,
  isSecret: (name: string) => boolean,
  found: (secret: string) => void
): string =>
  text.replaceAll(parameter, (whole, before: string, name: string, value: string) => {
    if (value === "" || !isSecret(decoded(name))) return whole
    each(value, found)
    return `${before}${name}=${HIDDEN}`
  })

const withoutUserInfo = (address: string, found: (secret: string) => void): string =>
  address.replace(userInfo, (_, scheme: string, user: string) => {
    each(user.slice(user.indexOf(":") + 1), found)
    return `${scheme}${HIDDEN}@`
  })

/** Address of a request as the log shows it; calls `found` with what it hides, as sent and decoded. */
export const shownUrl = (url: string, found: (secret: string) => void): string => {
  const start = url.search(/[?#]/)
  const [address, rest] = start < 0 ? [url, ""] : [url.slice(0, start), url.slice(start)]
  return withoutUserInfo(address, found) + withoutParameters(rest, isSecretParameter, found)
}

const asJson = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Longest body that is searched; longer ones are not shown. */
const BODY_AT_MOST = 100_000
const notShown = ({ length }: string) => `(${length} characters, not shown)`

/** Body of a request as the log shows it: members of JSON and parameters of a form. */
export const shownBody = (body: string, mimetype: string, found: (secret: string) => void): string => {
  if (body.length > BODY_AT_MOST) return notShown(body)
  if (mimetype.startsWith("application/x-www-form-urlencoded")) return withoutParameters(body, isSecretParameter, found)
  const value = asJson(body)
  if (value === undefined) return body
  if (textExcess(body) !== undefined) return notShown(body)
  let hiddenCount = 0
  const redactedJson = JSON.stringify(value, (name, member: unknown) => {
    if (!isSecretMember(name, member)) return member
    hiddenCount++
    for (const item of [member].flat()) if (isText(item) || typeof item === "number") found(String(item))
    return HIDDEN
  })
  return hiddenCount === 0 ? body : redactedJson
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""
const isSecretMember = (name: string, member: unknown): boolean =>
  (isText(member) || typeof member === "number" || (Array.isArray(member) && member.some(isText))) && isSecretName(name)

/** User info of an address in any text. */
const anyUserInfo = /:\/\/[^/?#\s"'<>]*@/g
const query = /[?&#][^\s"'<>?]+/g
/** Addresses of inbound webhooks and weblinks, which are credentials themselves. */
const ownAddress = /(\/api\/catch\/|\/trigger\/)([\w-]+)/g
const OWN_AT_LEAST = 16
const challenge = /\b(Bearer|Basic)\s+([\w.~+/=-]+)/gi
const CREDENTIALS_AT_LEAST = 8

const nothing = () => undefined

/** Most secrets of an execution; beyond it nothing of its texts is shown. */
const SECRETS_AT_MOST = 5_000

interface Known {
  readonly words: ReadonlyArray<string>
  readonly machine: Machine
}
const machinesBySecrets = new WeakMap<ReadonlySet<string>, { size: number; readonly parts: Array<Known> }>()

/** Machines that find an execution's secrets. Secrets come one by one: parts of like size are merged, so that none is read in often. */
const machinesFor = (secrets: ReadonlySet<string>): ReadonlyArray<Known> => {
  const state = machinesBySecrets.get(secrets) ?? { size: 0, parts: [] }
  if (state.size < secrets.size) {
    let words: ReadonlyArray<string> = [...secrets].slice(state.size).filter(({ length }) => length >= SECRET_AT_LEAST)
    while (state.parts.length > 0 && state.parts.at(-1)!.words.length <= words.length)
      words = [...state.parts.pop()!.words, ...words]
    if (words.length > 0) state.parts.push({ words, machine: machineOf(words) })
    state.size = secrets.size
    machinesBySecrets.set(secrets, state)
  }
  return state.parts
}

/** Characters of a value or message that are searched; nothing behind them is shown. */
const LOOKED_THROUGH = 20_000

/** Beginning of a text as the log shows it. */
export const hide = (text: string, secrets: ReadonlySet<string>): string => {
  const cut = text.length > LOOKED_THROUGH
  let redactedText = cut ? text.slice(0, LOOKED_THROUGH) : text
  if (secrets.size > SECRETS_AT_MOST) return HIDDEN
  for (const { machine } of machinesFor(secrets)) redactedText = replaceWords(machine, redactedText, HIDDEN, cut)
  if (redactedText.includes("://")) redactedText = redactedText.replaceAll(anyUserInfo, `://${HIDDEN}@`)
  if (redactedText.includes("="))
    redactedText = redactedText.replaceAll(query, (one) => withoutParameters(one, isSecretName, nothing))
  return redactedText
    .replaceAll(ownAddress, (whole, path, token) => (token.length < OWN_AT_LEAST ? whole : `${path}${HIDDEN}`))
    .replaceAll(challenge, (whole, scheme, sent) =>
      sent.length < CREDENTIALS_AT_LEAST ? whole : `${scheme} ${HIDDEN}`
    )
}

/** Quick test for everything that is searched besides secrets and names: a text without these skips the search. */
const suspicious = /:\/\/|\/api\/catch\/|\/trigger\/|(?:bearer|basic)\s/i

export interface ShownJson {
  readonly text: string
  /** Length of the complete value's JSON; approximate for a large one. */
  readonly length: number
  readonly whole: boolean
}

/** JSON of a value, until so much of it has been searched; `charsLeft` is what remains of that. */
const beginningOf = (value: unknown, secrets: ReadonlySet<string>) => {
  let charsLeft = LOOKED_THROUGH
  const write = (member: unknown, level = 1): string | undefined => {
    const data = plainOf(member)
    if (typeof data === "string") {
      charsLeft -= data.length
      return JSON.stringify(hide(data, secrets))
    }
    if (typeof data !== "object" || data === null) return JSON.stringify(data)
    if (level > JSON_LEVELS) {
      charsLeft = -1
      return `"…"`
    }
    const parts: Array<string> = []
    if (Array.isArray(data)) {
      for (let index = 0; index < data.length && charsLeft >= 0; index++) {
        charsLeft -= 2
        parts.push(write(data[index], level + 1) ?? "null")
      }
      return `[${parts.join(",")}]`
    }
    for (const name in data) {
      if (charsLeft < 0) break
      if (!Object.hasOwn(data, name)) continue
      charsLeft -= name.length + 1
      const item: unknown = (data as Record<string, unknown>)[name]
      const text = isSecretMember(name, item) ? JSON.stringify(HIDDEN) : write(item, level + 1)
      if (text !== undefined) parts.push(`${JSON.stringify(hide(name, secrets))}:${text}`)
    }
    return `{${parts.join(",")}}`
  }
  return { text: write(value) ?? "null", whole: charsLeft >= 0 }
}

/** Value as the log shows it, in JSON. The names of its own members count, not the name under which it is logged. */
export const shownJson = (value: unknown, secrets: ReadonlySet<string>): ShownJson => {
  const { deep, length } = jsonLength(value ?? null)
  if (length > LOOKED_THROUGH || deep) return { length, ...beginningOf(value ?? null, secrets) }
  const text = JSON.stringify(value ?? null)
  if (text.length <= LOOKED_THROUGH && secrets.size === 0 && !suspicious.test(text) && !names.test(text))
    return { text, length: text.length, whole: true }
  return { length: text.length, ...beginningOf(value ?? null, secrets) }
}
