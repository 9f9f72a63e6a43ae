// What the run log hides (developer-api.md 7.11): what a step has named as secret, what stands under the name of a credential in
// headers, queries, forms and JSON, user info of addresses, and addresses that are credentials themselves. Pure.

export const HIDDEN = "•••"

/** Names under which credentials travel, wherever they stand. */
const names =
  /authorization|cookie|token|secret|passw(?:or)?d|passphrase|\bpwd\b|credential|signature|jwt|(?:api|access|auth|private|subscription)[-_]?key|session[-_]?id/i
/** What is told about a credential. */
const about = /(?:tokens|type|count|limit|url|uri|endpoint|expires|expires[-_]?in|expiry)$/i
/** Names that mean a credential in the query or form of a request, and many things elsewhere. */
const asParameter = /(?:^|[-_])key$|^(?:code|sig|auth|pass|otp|pin|ticket|assertion|hmac)$/i

export const isSecretName = (name: string): boolean => names.test(name) && !about.test(name)
const isSecretParameter = (name: string): boolean => isSecretName(name) || asParameter.test(name)

/** Shorter ones would hide innocent text. */
const SECRET_AT_LEAST = 4

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return text
  }
}

/** As written, as it is, and as a client sends it. */
const each = (value: string, found: (secret: string) => void): void => {
  const plain = decoded(value)
  for (const form of [value, plain, encodeURIComponent(plain.toWellFormed())]) found(form)
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

/** The address of a request as the log shows it; tells what it hides, as sent and decoded. */
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

/** The body of a request as the log shows it: members of JSON and parameters of a form. */
export const shownBody = (body: string, mimetype: string, found: (secret: string) => void): string => {
  if (mimetype.startsWith("application/x-www-form-urlencoded")) return withoutParameters(body, isSecretParameter, found)
  const value = asJson(body)
  if (value === undefined) return body
  let hidden = 0
  const shown = JSON.stringify(value, (name, member: unknown) => {
    if (!isSecretMember(name, member)) return member
    hidden++
    found(String(member))
    return HIDDEN
  })
  return hidden === 0 ? body : shown
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""
const isSecretMember = (name: string, member: unknown): boolean =>
  (isText(member) || typeof member === "number" || (Array.isArray(member) && member.some(isText))) && isSecretName(name)

const address = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi
const query = /[?&#][^\s"'<>?]+/g
/** Inbound webhooks and weblinks: who has the address has the right. */
const ownAddress = /(\/api\/catch\/|\/trigger\/)[\w-]{16,}/g
const challenge = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi

const nothing = () => undefined

/** Any text of the log. */
export const hide = (text: string, secrets: ReadonlySet<string>): string => {
  let shown = text
  for (const secret of secrets) if (secret.length >= SECRET_AT_LEAST) shown = shown.replaceAll(secret, HIDDEN)
  if (shown.includes("://")) shown = shown.replaceAll(address, (one) => withoutUserInfo(one, nothing))
  if (shown.includes("=")) shown = shown.replaceAll(query, (one) => withoutParameters(one, isSecretName, nothing))
  return shown.replaceAll(ownAddress, `$1${HIDDEN}`).replaceAll(challenge, `$1 ${HIDDEN}`)
}

/** What is not in a text needs not be looked for in the value. */
const suspicious = new RegExp(`${names.source}|://|/api/catch/|/trigger/|(?:bearer|basic)\\s`, "i")
/** So much of a value is looked through; of what comes behind nothing is shown. */
const LOOKED_THROUGH = 20_000

export interface ShownJson {
  readonly text: string
  /** Of the value as it is. */
  readonly length: number
  readonly whole: boolean
}

/** A value of the log as JSON. The names of its own members count, not the name under which it is logged. */
export const shownJson = (value: unknown, secrets: ReadonlySet<string>): ShownJson => {
  const text = JSON.stringify(value ?? null)
  const { length } = text
  if (length <= LOOKED_THROUGH && secrets.size === 0 && !suspicious.test(text)) return { text, length, whole: true }
  let left = LOOKED_THROUGH
  const shown = JSON.stringify(value ?? null, (name, member: unknown) => {
    if (left < 0) return undefined
    left -= name.length + 1
    if (isSecretMember(name, member)) return HIDDEN
    if (typeof member !== "string") return member
    left -= member.length
    return hide(left < 0 ? member.slice(0, LOOKED_THROUGH) : member, secrets)
  })
  return { text: shown, length, whole: left >= 0 }
}
