// `/console/account/…`: how the person of the session signs in: password (decisions O12), second steps and recovery codes (decisions, "The
// second step").
import { Effect, Schema } from "effect"
import { renderSVG } from "uqr"
import { slotsFullSeconds } from "../../../domain/accounts/passwordSlots.ts"
import { maximumLength, minimumLength } from "../../../domain/accounts/passwords.ts"
import { FactorChanges } from "../../../domain/oauth/FactorChanges.ts"
import { Restricted, TooManyRequests, ValidationError } from "../../../platform/primitives/errors.ts"
import { makeKnownBrowsers } from "../../web/KnownBrowsers.ts"
import { makePasswordChange } from "../../web/passwordChange.ts"
import { busy } from "../../web/passwordGuesses.ts"
import { jsonAnswer, type PageCalls } from "../pageCalls.ts"

const path = "/console/account"

const wrong = new ValidationError({ message: "The current password is wrong." })
const throttled = new Restricted({ message: "Too many attempts. Wait a quarter of an hour." })
const full = new TooManyRequests({ message: busy, retryAfterSeconds: slotsFullSeconds })

const Password = Schema.String.check(Schema.isMaxLength(maximumLength))
const NewPassword = Schema.String.check(Schema.isBetweenLength(minimumLength, maximumLength))
const Name = Schema.Trim.check(Schema.isBetweenLength(1, 60))
const Text = Schema.String.check(Schema.isMaxLength(20_000))

export const addSignInActs = Effect.fnUntraced(function* ({ addAct }: PageCalls) {
  const factors = yield* FactorChanges
  const browsers = yield* makeKnownBrowsers
  const changePassword = yield* makePasswordChange

  yield* addAct(
    `${path}/password`,
    { current: Password, password: NewPassword },
    Effect.fnUntraced(function* (visit, { current, password }) {
      const outcome = yield* changePassword(visit, current, password)
      if (outcome === "wrong") return yield* wrong
      if (outcome === "throttled") return yield* throttled
      if (outcome === "busy") return yield* full
      return yield* browsers.remember(jsonAnswer({}), visit, visit.person.person_id)
    })
  )

  yield* addAct(`${path}/factors`, {}, (visit) =>
    Effect.map(
      factors.state(visit),
      ({ asking, codesLeft, factors: present, mayAdd, mayChange, passkeysPossible }) => ({
        factors: present.map(({ created_on, factor_id, kind, last_used_on, name }) => ({
          ...{ created_on, factor_id, kind, last_used_on, name }
        })),
        codes_left: codesLeft,
        asking: asking.map(({ name, required_from }) => ({ name, required_from })),
        may_add: mayAdd,
        may_change: mayChange,
        passkeys_possible: passkeysPossible
      })
    )
  )

  yield* addAct(`${path}/factors/offer-app`, {}, (visit) =>
    Effect.map(factors.offerApp(visit), ({ sealed, secret, uri }) => ({
      ...{ sealed, secret },
      qr: renderSVG(uri, { border: 2 })
    }))
  )

  yield* addAct(`${path}/factors/add-app`, { sealed: Text, name: Name, code: Text }, (visit, { code, name, sealed }) =>
    Effect.map(factors.addApp(visit, sealed, name, code), (codes) => ({ codes: codes ?? [] }))
  )

  yield* addAct(`${path}/factors/ask-passkey`, {}, (visit) =>
    Effect.map(factors.askToRegister(visit), (options) => ({ options }))
  )

  yield* addAct(`${path}/factors/add-passkey`, { name: Name, answer: Text }, (visit, { answer, name }) =>
    Effect.map(factors.addPasskey(visit, name, answer), (codes) => ({ codes: codes ?? [] }))
  )

  yield* addAct(`${path}/factors/remove`, { factor_id: Schema.Int }, (visit, { factor_id }) =>
    Effect.asVoid(factors.remove(visit, factor_id))
  )

  yield* addAct(`${path}/factors/new-codes`, {}, (visit) => Effect.map(factors.newCodes(visit), (codes) => ({ codes })))
})
