// The room's recurring work in a worker process: mails to admins every few seconds.
// Several processes may run it side by side: mails are sent once by their message id, rows go once.
import { Cause, Effect, Layer, Schedule } from "effect"
import { Mail } from "../mail/Mail.ts"
import { type AdminMail, tellAdmins } from "./tellAdmins.ts"

const TELL_EVERY = "5 seconds"

/** A round that fails says so, and the next one tries again. */
const recurring = <A, E, R>(name: string, every: typeof TELL_EVERY, round: Effect.Effect<A, E, R>) =>
  round.pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.logWarning(`${name} failed and is tried again`, cause)
    ),
    Effect.repeat(Schedule.spaced(every)),
    Effect.forkScoped
  )

export const HookRounds = Layer.effectDiscard(
  Effect.gen(function* () {
    const mail = yield* Mail
    // What no later round can heal is said and let go.
    const send = (about: AdminMail) =>
      mail.send({ ...about, system: true }).pipe(
        Effect.catchIf(
          (error) => error._tag !== "MailTransportError" || !error.temporary,
          (error) => Effect.logError(`a notice about a webhook cannot be mailed: ${error.message}`)
        )
      )
    yield* recurring("telling admins about webhooks", TELL_EVERY, tellAdmins(send))
  })
)
