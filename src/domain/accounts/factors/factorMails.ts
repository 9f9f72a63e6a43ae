// What a person is told by mail of their second step: whoever has got hold of a session cannot change it unseen.
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { AppConfig } from "../../../ground/config/Config.ts"
import { Mail } from "../../../ground/mail/Mail.ts"
import type { Person } from "../People.ts"

interface Letter {
  readonly subject: string
  readonly what: string
}

export type FactorNews =
  | { readonly type: "added"; readonly name: string; readonly first: boolean }
  | { readonly type: "removed"; readonly name: string; readonly last: boolean }
  | { readonly type: "new_codes" }
  | { readonly type: "code_used"; readonly left: number }
  | { readonly type: "reset"; readonly by: string }

const letterOf = (told: FactorNews): Letter => {
  switch (told.type) {
    case "added":
      return {
        subject: told.first ? "Two-step sign-in is on" : "A second step was added to your sign-in",
        what: `“${told.name}” was added as a second step of your sign-in.`
      }
    case "removed":
      return {
        subject: told.last ? "Two-step sign-in is off" : "A second step was removed from your sign-in",
        what: `“${told.name}” was removed.${told.last ? " Your password alone signs you in now." : ""}`
      }
    case "new_codes":
      return {
        subject: "New recovery codes were made",
        what: "New recovery codes were made. The former ones are worth nothing."
      }
    case "code_used":
      return {
        subject: "A recovery code was used to sign in",
        what: `Somebody signed in with one of your recovery codes. ${told.left === 0 ? "None is left." : `${told.left} left.`}`
      }
    case "reset":
      return {
        subject: "Your second step was reset",
        what: `${told.by} removed every second step of your sign-in and signed you out everywhere. Your password alone signs you in now.`
      }
  }
}

export const makeFactorMails = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const mail = yield* Mail

  /** A mail that cannot be sent is said in the log, and stops nothing. */
  return (person: Person, told: FactorNews) => {
    const { subject, what } = letterOf(told)
    return mail
      .send({
        orgId: null,
        to: person.email,
        subject,
        text: `${what}\n\nThis is about the sign-in of ${person.email} at ${baseUrl}. If it was not you, change your password at once, and look at your second steps:\n${baseUrl}/account/factors\n`,
        messageId: `factor-${randomUUID()}`,
        system: true
      })
      .pipe(
        Effect.asVoid,
        Effect.catchCause((cause) => Effect.logError("a mail about a second step was not sent", cause))
      )
  }
})
