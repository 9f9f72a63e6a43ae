// Verification of the sender of an inbound webhook (developer-api.md 7.9): by a signature over its body, or by a credential in a header.
// Keys are secrets, referenced by name.
import { Schema } from "effect"
import { line } from "../../../platform/bounds/sized.ts"
import { SecretName } from "../../secrets/secretNames.ts"
import { isPlainObject } from "./walk.ts"

const algorithms = ["sha1", "sha256", "sha384", "sha512"] as const
const encodings = ["hex", "base64", "base64url"] as const

/** Members that each type needs, and may have, in addition to its secret. */
const members = {
  standard_webhooks: { may: ["tolerance_seconds"] },
  github: {},
  stripe: { may: ["tolerance_seconds"] },
  shopify: {},
  slack: { may: ["tolerance_seconds"] },
  meta: { needs: ["token_secret"] },
  zoom: { may: ["tolerance_seconds"] },
  hmac: { needs: ["header"], may: ["algorithm", "encoding", "prefix"] },
  basic: { needs: ["username"] },
  bearer: {}
} as const satisfies Record<string, { readonly needs?: ReadonlyArray<string>; readonly may?: ReadonlyArray<string> }>

export type ProofType = keyof typeof members
const types = Object.keys(members) as [ProofType, ...Array<ProofType>]

const Fields = Schema.Struct({
  type: Schema.Literals(types),
  secret: SecretName.annotate({ description: "Name of the secret that holds the signing key, password or token" }),
  token_secret: Schema.optionalKey(
    SecretName.annotate({ description: "`meta`: name of the secret that holds the verify token" })
  ),
  username: Schema.optionalKey(line.annotate({ description: "`basic`" })),
  header: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(200), Schema.isPattern(/^[\w!#$%&'*+.^`|~-]+$/)).annotate({
      description: "`hmac`: the header that holds the signature"
    })
  ),
  algorithm: Schema.optionalKey(Schema.Literals(algorithms).annotate({ description: "`hmac`; sha256 when left out" })),
  encoding: Schema.optionalKey(Schema.Literals(encodings).annotate({ description: "`hmac`; hex when left out" })),
  prefix: Schema.optionalKey(
    line.annotate({ description: "`hmac`: what stands before the signature, such as `sha256=`" })
  ),
  tolerance_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 10, maximum: 3_600 })).annotate({
      description: "How far a signed time may be from now; 300 when left out"
    })
  )
})

/** Returns the message about a missing or meaningless member, or true. */
const mistake = (given: typeof Fields.Type): string | true => {
  const { may = [], needs = [] }: { readonly needs?: ReadonlyArray<string>; readonly may?: ReadonlyArray<string> } =
    members[given.type]
  const missing = needs.find((key) => !(key in given))
  if (missing !== undefined) return `\`${missing}\` is needed for \`${given.type}\``
  const allowedKeys = ["type", "secret", ...needs, ...may]
  const idle = Object.keys(given).find((key) => !allowedKeys.includes(key))
  return idle === undefined || `\`${idle}\` means nothing for \`${given.type}\``
}

export const SenderProof = Fields.check(Schema.makeFilter(mistake)).annotate({
  identifier: "WebhookVerification",
  description: "How senders prove themselves; without it whoever has the address may send"
})
export type SenderProof = typeof SenderProof.Type

/** Names of the secrets that the config of a trigger uses. */
export const secretsOfTrigger = (config: unknown): ReadonlyArray<string> => {
  const verification = isPlainObject(config) ? config["verification"] : undefined
  if (!isPlainObject(verification)) return []
  return [verification["secret"], verification["token_secret"]].filter((name) => typeof name === "string")
}
