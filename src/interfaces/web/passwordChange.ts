// Changes the password of who is signed in and knows the former one (decisions O12), as one guess at it (O22). Connections, keys and tokens
// survive (service.md 3.2); sessions in other browsers do not.
import { Effect } from "effect"
import { People } from "../../domain/accounts/People.ts"
import { SignInThrottle } from "../../domain/accounts/SignInThrottle.ts"
import { makeKnownBrowsers } from "./KnownBrowsers.ts"
import { makePasswordGuesses } from "./passwordGuesses.ts"
import type { SignedIn } from "./Visitors.ts"

type PasswordChange = "changed" | "wrong" | "throttled" | "busy"

export const makePasswordChange = Effect.gen(function* () {
  const people = yield* People
  const throttle = yield* SignInThrottle
  const guessAt = yield* makePasswordGuesses(yield* makeKnownBrowsers)

  return Effect.fnUntraced(function* (
    visit: SignedIn,
    current: string,
    password: string
  ): Effect.fn.Return<PasswordChange> {
    const { person, session } = visit
    const { guess, turn } = yield* guessAt(visit, person.email)
    if (!(yield* throttle.attempt(guess))) return "throttled"
    return yield* Effect.gen(function* () {
      const right = yield* people.signIn(person.email, current, turn)
      // A password that a link has set meanwhile is not overwritten by someone who knew only the former one.
      const changed = right !== null && (yield* people.changePassword(right, password, turn, session.session_id))
      if (!changed) return "wrong" as const
      yield* throttle.giveBack(guess)
      return "changed" as const
    }).pipe(
      Effect.catchTag("PlacesFull", () => Effect.as(throttle.giveBack(guess), "busy" as const)),
      Effect.catchTag("ValidationError", Effect.die)
    )
  })
})
