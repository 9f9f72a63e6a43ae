// Second steps as their person changes them (decisions, "The second step"): to add one, the sign-in is of these minutes or was confirmed; to
// remove one, or to make codes anew, it was confirmed. The secret of an app that is being set up is sealed for the session and for ten minutes.
import { Clock, Context, Effect, Layer } from "effect"
import { type Conflict, type NotFound, ValidationError } from "../../platform/primitives/errors.ts"
import { passing } from "../../platform/sealing/SealedColumn.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { type Asked, Factors, type OwnFactors } from "../accounts/factors/Factors.ts"
import type { Factor } from "../accounts/factors/factorRows.ts"
import { keyUri, newSecret } from "../accounts/factors/totp.ts"
import type { Person } from "../accounts/People.ts"
import { type ConfirmationRequired, SessionProofs } from "./SessionProofs.ts"
import type { Session } from "./Sessions.ts"

/** A person by their session. */
interface Self {
  readonly person: Person
  readonly session: Session
}

/** An app that is being set up. */
export interface AppOffer {
  readonly secret: string
  /** Content of the QR code. */
  readonly uri: string
  readonly sealed: string
}

interface OwnFactorState extends OwnFactors {
  readonly mayAdd: boolean
  /** True if one may be removed, and codes made anew. */
  readonly mayChange: boolean
  readonly passkeysPossible: boolean
}

type Added = ReadonlyArray<string> | undefined

const OFFER_MILLIS = 10 * 60_000
/** Longest sealed secret that is looked at. */
const SEALED_LENGTH = 1_000

const lapsed = new ValidationError({ message: "That took too long. Set the app up anew." })

export class FactorChanges extends Context.Service<
  FactorChanges,
  {
    readonly state: (self: Self) => Effect.Effect<OwnFactorState>
    /** Options for the browser; its answer is due within five minutes. */
    readonly askToRegister: (self: Self) => Effect.Effect<Asked, ConfirmationRequired | ValidationError>
    /** Recovery codes, if it was the first second step. */
    readonly addPasskey: (
      self: Self,
      name: string,
      answer: string
    ) => Effect.Effect<Added, ConfirmationRequired | ValidationError | Conflict>
    readonly offerApp: (self: Self) => Effect.Effect<AppOffer, ConfirmationRequired>
    /** The offer that this session was shown; undefined if that is too long ago. */
    readonly reopen: (self: Self, sealed: string) => Effect.Effect<AppOffer | undefined>
    readonly addApp: (
      self: Self,
      sealed: string,
      name: string,
      code: string
    ) => Effect.Effect<Added, ConfirmationRequired | ValidationError | Conflict>
    readonly remove: (self: Self, factorId: number) => Effect.Effect<Factor, ConfirmationRequired | NotFound | Conflict>
    readonly newCodes: (self: Self) => Effect.Effect<ReadonlyArray<string>, ConfirmationRequired | Conflict>
  }
>()("millrace/oauth/FactorChanges") {
  static readonly layer = Layer.effect(
    FactorChanges,
    Effect.gen(function* () {
      const factors = yield* Factors
      const proofs = yield* SessionProofs
      const secrets = yield* Secrets
      const context = ({ session }: Self) => passing(`pages/factors/${session.session_id}`)
      const ownerOf = ({ person, session }: Self) => ({ person, sessionId: session.session_id })

      const state = Effect.fn("FactorChanges.state")(function* ({ person, session }: Self) {
        const ownFactors = yield* factors.of(person.person_id)
        const mayAdd = yield* proofs.isFresh(session, true)
        const mayChange = yield* proofs.isFresh(session, false)
        return { ...ownFactors, mayAdd, mayChange, passkeysPossible: factors.passkeysPossible }
      })

      const askToRegister = Effect.fn("FactorChanges.askToRegister")(function* (self: Self) {
        yield* proofs.require(self.session, true)
        const registration = yield* factors.askToRegister(self.person)
        yield* proofs.ask(self.session, registration.challenge)
        return registration
      })

      const addPasskey = Effect.fn("FactorChanges.addPasskey")(function* (self: Self, name: string, answer: string) {
        yield* proofs.require(self.session, true)
        return yield* factors.addPasskey(ownerOf(self), name, yield* proofs.asked(self.session), answer)
      })

      const offerOf = (self: Self, secret: string, until: number): AppOffer => ({
        secret,
        uri: keyUri(secret, self.person.email),
        sealed: Buffer.from(secrets.encrypt(`${until} ${secret}`, context(self))).toString("base64url")
      })

      const offerApp = Effect.fn("FactorChanges.offerApp")(function* (self: Self) {
        yield* proofs.require(self.session, true)
        return offerOf(self, newSecret(), (yield* Clock.currentTimeMillis) + OFFER_MILLIS)
      })

      const reopen = Effect.fn("FactorChanges.reopen")(function* (self: Self, sealed: string) {
        const decryptedText = yield* secrets
          .decrypt(Buffer.from(sealed.slice(0, SEALED_LENGTH), "base64url"), context(self))
          .pipe(Effect.catchTag("SecretUnreadable", () => Effect.succeed("0 ")))
        const [until = "", secret = ""] = decryptedText.split(" ")
        return Number(until) > (yield* Clock.currentTimeMillis) ? offerOf(self, secret, Number(until)) : undefined
      })

      const addApp = Effect.fn("FactorChanges.addApp")(function* (
        self: Self,
        sealed: string,
        name: string,
        code: string
      ) {
        yield* proofs.require(self.session, true)
        const totpOffer = yield* reopen(self, sealed)
        return totpOffer === undefined
          ? yield* lapsed
          : yield* factors.addTotp(ownerOf(self), name, totpOffer.secret, code)
      })

      const remove = Effect.fn("FactorChanges.remove")(function* (self: Self, factorId: number) {
        yield* proofs.require(self.session, false)
        return yield* factors.remove(ownerOf(self), factorId)
      })

      const newCodes = Effect.fn("FactorChanges.newCodes")(function* (self: Self) {
        yield* proofs.require(self.session, false)
        return yield* factors.newCodes(ownerOf(self))
      })

      return FactorChanges.of({ state, askToRegister, addPasskey, offerApp, reopen, addApp, remove, newCodes })
    })
  )
}
