// Refuses to start a process whose SECRET_KEY lacks a key that the database needs, and says so (decisions P4, P11).
import { Effect, Layer } from "effect"
import { enter } from "./KeyRegister.ts"
import { Secrets } from "./Secrets.ts"

export const layer = Layer.effectDiscard(Effect.flatMap(Secrets, ({ ring }) => enter(ring)))
