// Passkeys (WebAuthn level 3) by SimpleWebAuthn: options for the browser, and checks that its answer belongs to this service, this
// challenge and this key. The counter is not checked here: only one statement can do that for two concurrent answers (Factors.ts).
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential
} from "@simplewebauthn/server"
import { Effect, Schema } from "effect"

/** The browser's answer does not match the request. */
class PasskeyRefused extends Schema.TaggedError<PasskeyRefused>()("PasskeyRefused", { why: Schema.String }) {}

export interface Site {
  readonly origin: string
  /** A name: passkeys are of no address (WebAuthn 5.1.2). */
  readonly id: string
}

/** Site of the passkeys; undefined if browsers allow none: without https except on the own machine, or at a bare IP address. */
export const siteOf = (baseUrl: string): Site | undefined => {
  const { hostname, origin, protocol } = new URL(baseUrl)
  if (hostname.includes(":") || /^[\d.]+$/.test(hostname)) return undefined
  const local = hostname === "localhost" || hostname.endsWith(".localhost")
  return protocol === "https:" || local ? { origin, id: hostname } : undefined
}

export interface StoredPasskey {
  readonly credential_id: string
  readonly public_key: Uint8Array
  readonly transports: ReadonlyArray<string> | null
}

type Listed = Pick<StoredPasskey, "credential_id" | "transports">

const descriptorsOf = (passkeys: ReadonlyArray<Listed>) =>
  passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports: [...(transports ?? [])] }))

/** Ed25519, ECDSA with P-256, RSA (COSE): algorithms of browsers and keys that Node supports for good. */
const ALGORITHMS = [-8, -7, -257]

/** Longer than any answer is. */
const ANSWER_LENGTH = 32_000

/** The form's text as the library wants it: it looks at the members itself. */
const parseAnswer = <A extends { readonly id: string }>(text: string) =>
  Effect.try({
    try: () => {
      if (text.length > ANSWER_LENGTH) throw new Error("too long")
      const answer = JSON.parse(text)
      if (typeof answer?.id !== "string") throw new Error("no id")
      return answer as A
    },
    catch: () => new PasskeyRefused({ why: "unreadable" })
  })

const runVerification = <A>(verify: () => Promise<A>) =>
  Effect.tryPromise({ try: verify, catch: (error) => new PasskeyRefused({ why: String((error as Error).message) }) })

export const registrationOptions = (
  site: Site,
  person: { readonly person_id: number; readonly email: string; readonly name: string },
  present: ReadonlyArray<Listed>
) =>
  Effect.promise(() =>
    generateRegistrationOptions({
      rpName: "Millrace",
      rpID: site.id,
      userID: new TextEncoder().encode(`person ${person.person_id}`),
      userName: person.email,
      userDisplayName: person.name,
      attestationType: "none",
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: descriptorsOf(present) as [],
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" }
    })
  )

export const authenticationOptions = (site: Site, present: ReadonlyArray<Listed>) =>
  Effect.promise(() =>
    generateAuthenticationOptions({
      rpID: site.id,
      allowCredentials: descriptorsOf(present) as [],
      userVerification: "preferred"
    })
  )

type Registration = Parameters<typeof verifyRegistrationResponse>[0]["response"]
type Authentication = Parameters<typeof verifyAuthenticationResponse>[0]["response"]

/** @returns the new key */
export const registered = Effect.fnUntraced(function* (site: Site, challenge: string, text: string) {
  const response = yield* parseAnswer<Registration>(text)
  const verification: VerifiedRegistrationResponse = yield* runVerification(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: false
    })
  )
  if (!verification.verified) return yield* new PasskeyRefused({ why: "not verified" })
  return verification.registrationInfo.credential
})

/** @returns the counter that the key sent */
export const answered = Effect.fnUntraced(function* <P extends StoredPasskey>(
  site: Site,
  challenge: string,
  text: string,
  present: ReadonlyArray<P>
) {
  const response = yield* parseAnswer<Authentication>(text)
  const passkey = present.find(({ credential_id }) => credential_id === response.id)
  if (passkey === undefined) return yield* new PasskeyRefused({ why: "not a passkey of this person" })
  const credential: WebAuthnCredential = {
    id: passkey.credential_id,
    publicKey: new Uint8Array(passkey.public_key),
    counter: 0
  }
  const { authenticationInfo, verified } = yield* runVerification(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential,
      requireUserVerification: false
    })
  )
  if (!verified) return yield* new PasskeyRefused({ why: "not verified" })
  return { passkey, counter: authenticationInfo.newCounter }
})
