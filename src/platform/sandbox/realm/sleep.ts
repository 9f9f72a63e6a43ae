// `sleep` of custom_code (developer-api.md 8.2): the host waits, in answer to one message.
import { SLEEP_MILLIS_MOST } from "../sleepLimit.ts"
import type { CallHost } from "./pendingCalls.ts"

export const makeSleep = (call: CallHost) => async (ms: unknown) => {
  const sleepMillis = Number(ms)
  if (!(sleepMillis >= 0 && sleepMillis <= SLEEP_MILLIS_MOST))
    throw new RangeError(`sleep takes 0 to ${SLEEP_MILLIS_MOST} milliseconds`)
  await call("sleep", `${sleepMillis}`)
}
