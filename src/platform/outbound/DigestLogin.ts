// Digest access authentication of a client (RFC 7616, and RFC 2617 for servers without `qop`): answers a server's challenge with a hash, so
// that the password itself is never sent.
import { createHash, randomBytes } from "node:crypto"
import { authChallenges } from "./authChallenges.ts"

interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  /** Algorithm as the server writes it; undefined: MD5. */
  readonly algorithm: string | undefined
  readonly hash: string
  readonly session: boolean
  readonly qop: "auth" | "auth-int" | undefined
  readonly userhash: boolean
}

/** Request that is to be authorized. */
export interface DigestRequest {
  readonly method: string
  readonly url: URL
  readonly body: string | Uint8Array | undefined
}

/** Hashes by the algorithm's name, the strongest first. */
const hashes: ReadonlyArray<readonly [name: string, hash: string]> = [
  ["SHA-512-256", "sha512-256"],
  ["SHA-256", "sha256"],
  ["MD5", "md5"]
]
const sessionSuffix = /-sess$/i

const digestOf = (hash: string, content: string | Uint8Array): string => createHash(hash).update(content).digest("hex")

const readChallenge = (parameters: ReadonlyMap<string, string>): DigestChallenge | undefined => {
  const algorithm = parameters.get("algorithm")
  const name = (algorithm ?? "MD5").replace(sessionSuffix, "").toUpperCase()
  const hash = hashes.find(([known]) => known === name)?.[1]
  const [realm, nonce] = [parameters.get("realm"), parameters.get("nonce")]
  const offered = parameters
    .get("qop")
    ?.toLowerCase()
    .split(/[\s,]+/)
  const qop = (["auth", "auth-int"] as const).find((one) => offered?.includes(one))
  if (hash === undefined || realm === undefined || nonce === undefined) return undefined
  if (offered !== undefined && qop === undefined) return undefined
  return {
    ...{ realm, nonce, algorithm, hash, qop },
    opaque: parameters.get("opaque"),
    session: algorithm !== undefined && sessionSuffix.test(algorithm),
    userhash: parameters.get("userhash")?.toLowerCase() === "true"
  }
}

/** Strongest of the digest challenges that can be answered. */
const strongest = (header: string | undefined): DigestChallenge | undefined => {
  const rank = ({ hash }: DigestChallenge) => hashes.findIndex(([, known]) => known === hash)
  return authChallenges(header)
    .flatMap(({ parameters, scheme }) => (scheme === "digest" ? (readChallenge(parameters) ?? []) : []))
    .toSorted((one, other) => rank(one) - rank(other))[0]
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)
/** Value with a charset (RFC 8187). */
const extended = (text: string): string =>
  `UTF-8''${encodeURIComponent(text).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`

/** Login at one origin. A challenge is used again for later requests to it, with a counter. */
export class DigestLogin {
  private challenge: DigestChallenge | undefined
  private count = 0
  private readonly username: string
  private readonly password: string
  private readonly origin: string
  private readonly clientNonce: () => string

  /** @param origin only requests to it are authorized, and only its challenges answered */
  constructor(
    { origin, password, username }: { readonly username: string; readonly password: string; readonly origin: string },
    clientNonce = () => randomBytes(16).toString("hex")
  ) {
    this.username = username
    this.password = password
    this.origin = origin
    this.clientNonce = clientNonce
  }

  /** Takes the challenge of a 401. @returns false if it cannot be answered */
  accept(url: URL, header: string | undefined): boolean {
    const challenge = url.origin === this.origin ? strongest(header) : undefined
    if (challenge === undefined) return false
    this.challenge = challenge
    this.count = 0
    return true
  }

  /** Value of `Authorization`; undefined before the first challenge and for other origins. */
  authorization({ body, method, url }: DigestRequest): string | undefined {
    const { challenge, password, username } = this
    if (challenge === undefined || url.origin !== this.origin) return undefined
    const { algorithm, hash, nonce, opaque, qop, realm, session, userhash } = challenge
    const h = (content: string | Uint8Array) => digestOf(hash, content)
    const uri = `${url.pathname}${url.search}`
    const cnonce = this.clientNonce()
    const nc = (++this.count).toString(16).padStart(8, "0")
    const key = h(`${username}:${realm}:${password}`)
    const a1 = session ? h(`${key}:${nonce}:${cnonce}`) : key
    const a2 = h(qop === "auth-int" ? `${method}:${uri}:${h(body ?? "")}` : `${method}:${uri}`)
    const response = h(qop === undefined ? `${a1}:${nonce}:${a2}` : `${a1}:${nonce}:${nc}:${cnonce}:${qop}:${a2}`)
    const user = userhash
      ? `username=${quoted(h(`${username}:${realm}`))}`
      : isAscii(username)
        ? `username=${quoted(username)}`
        : `username*=${extended(username)}`
    return `Digest ${[
      ...[user, `realm=${quoted(realm)}`, `nonce=${quoted(nonce)}`, `uri=${quoted(uri)}`, `response="${response}"`],
      ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
      ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
      ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${nc}`]),
      ...(qop === undefined && !session ? [] : [`cnonce="${cnonce}"`]),
      ...(userhash ? ["userhash=true"] : [])
    ].join(", ")}`
  }
}
