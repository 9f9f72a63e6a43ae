// Limits how slowly an upload to the disk may come (decisions P6): it has the time of every body, and more as long as it keeps a pace.
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type BodyRefused, messageOf, tooSlow } from "./Body.ts"

/** Bytes a second that an upload must reach on average, beyond the time that every body has. */
const PACE = 100_000

/** Fails once the sender is slower than that pace. */
export const refuseSlowUpload = (request: HttpServerRequest.HttpServerRequest, seconds: number) =>
  Effect.callback<never, BodyRefused>((resume) => {
    const socket = messageOf(request)?.socket
    if (socket === undefined) return
    const [began, before] = [performance.now(), socket.bytesRead]
    const timer = setInterval(() => {
      const allowed = seconds * 1000 + ((socket.bytesRead - before) / PACE) * 1000
      if (performance.now() - began > allowed) resume(Effect.fail(tooSlow(seconds)))
    }, 250)
    return Effect.sync(() => clearInterval(timer))
  })
