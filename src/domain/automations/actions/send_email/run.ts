// `send_email` (developer-api.md 7.6): one mail.
import { Effect } from "effect"
import { once, type StepOf } from "../runtime.ts"
import { mailing } from "../shared/stepMail.ts"

export const run = Effect.map(mailing, (send) => once((step: StepOf<"send_email">) => send(step)))
