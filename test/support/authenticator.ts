// An authenticator of WebAuthn in software, for answers that no browser would give: another origin, another site, a counter that stands still.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest()

/** CBOR (RFC 8949) of what an attestation is made of: small maps of texts, integers and bytes. */
const head = (major: number, n: number) =>
  n < 24
    ? Buffer.from([(major << 5) | n])
    : n < 256
      ? Buffer.from([(major << 5) | 24, n])
      : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
const cbor = (value: unknown): Buffer => {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([k, v]) => [cbor(k), cbor(v)])])
}

interface Ask {
  readonly challenge: string
  readonly origin?: string
  readonly rpId?: string
  readonly counter?: number
}

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40

export interface Authenticator {
  readonly id: string
  readonly register: (ask: Ask) => string
  readonly answer: (ask: Ask) => string
}

/** @param at the service */
export const authenticator = (at: string): Authenticator => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const id = randomBytes(32)
  let counter = 0

  const key = (of: KeyObject) => {
    const { x, y } = of.export({ format: "jwk" })
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, "base64url")],
        [-3, Buffer.from(y!, "base64url")]
      ])
    )
  }
  const client = (type: string, { challenge, origin = at }: Ask) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const data = ({ counter: told = ++counter, rpId = new URL(at).hostname }: Ask, flags: number, more: Uint8Array) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(told)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more])
  }
  const named = (response: object) =>
    JSON.stringify({
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response
    })

  return {
    id: id.toString("base64url"),
    register: (ask) => {
      const length = Buffer.from([0, id.length])
      const authData = data(
        ask,
        PRESENT | VERIFIED | WITH_KEY,
        Buffer.concat([Buffer.alloc(16), length, id, key(publicKey)])
      )
      const attestation = cbor(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData]
        ])
      )
      return named({
        clientDataJSON: client("webauthn.create", ask).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"]
      })
    },
    answer: (ask) => {
      const clientData = client("webauthn.get", ask)
      const authData = data(ask, PRESENT | VERIFIED, Buffer.alloc(0))
      return named({
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", Buffer.concat([authData, sha256(clientData)]), privateKey).toString("base64url")
      })
    }
  }
}
