// `send_email` (developer-api.md 7.6): one mail.
import { Effect } from "effect"
import { once, type StepOf } from "../runtime.ts"
import { makeStepMail } from "../shared/stepMail.ts"

export const run = Effect.map(makeStepMail, (send) => once((step: StepOf<"send_email">) => send(step)))
