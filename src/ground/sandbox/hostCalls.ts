// What a script's process asks of the service, counted here as well as in the process (developer-api.md 8.3, decisions P9): behind
// an engine that was broken out of, only this side's count holds.

import type { Limits } from "../config/sandboxLimits.ts"
import { WrongMessage } from "../confinement/messageShape.ts"
import type { ScriptCall } from "./protocol.ts"

export interface Quota {
  /** Throws for a call that an honest process would not have sent. */
  readonly admit: (call: ScriptCall) => void
  /** Its answer was taken. */
  readonly answered: (call: ScriptCall) => void
}

/** An answer is on its way while the process may already ask for more. */
const SLACK = 2

export const quota = (limits: Limits): Quota => {
  const most = { http: limits.httpCalls, api: limits.apiCalls }
  const open = { http: 0, api: 0 }
  const ids = new Set<number>()
  /** A place names a repeat of the call towards the outside (decisions A1): none is used twice. */
  const positions = new Set<string>()
  return {
    admit: ({ call, kind, position }) => {
      const place = `${kind}/${position}`
      if (position >= most[kind] || positions.has(place) || ids.has(call))
        throw new WrongMessage("call: too many, or twice")
      if (++open[kind] > SLACK * limits.concurrentCalls) throw new WrongMessage("call: too many at once")
      ids.add(call)
      positions.add(place)
    },
    answered: ({ kind }) => {
      open[kind]--
    }
  }
}
