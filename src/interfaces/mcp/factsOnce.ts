// Decides the first call of a request by the rights that were read with its credential, and each later one by rights as they are by then: a
// tool may ask several times, and wait seconds for a run meanwhile.
import { Effect } from "effect"
import type { InProcess } from "../../domain/accounts/InProcess.ts"

/** The API for the calls of one request. */
export const withFactsOnce = ({ call }: InProcess["Service"]): InProcess["Service"] => {
  let isFirst = true
  return {
    call: (caller, request) =>
      Effect.suspend(() => {
        const { lookup: _, ...withoutFacts } = caller
        const callerNow = isFirst ? caller : withoutFacts
        isFirst = false
        return call(callerNow, request)
      })
  }
}
