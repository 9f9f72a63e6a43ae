// Requests of an import: the service's limit is waited for, and who watches is told until when.
import { isApiError, makeClient } from "@millrace/client"
import { sessionCredentials } from "../../../api/session.ts"

/** Client without retries: the import waits itself, and shows that it does. */
export const client = makeClient({ baseUrl: location.origin, credentials: sessionCredentials, retry: { times: 0 } })

export interface Patience {
  /** Is told until when the limit is waited for, in milliseconds since 1970. */
  readonly waits: (until: number) => void
  readonly signal: AbortSignal
}

const pause = (millis: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, millis)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

export const patiently = async <A>({ signal, waits }: Patience, request: () => Promise<A>): Promise<A> => {
  for (;;)
    try {
      return await request()
    } catch (error) {
      if (!isApiError(error, "too_many_requests")) throw error
      const until = Date.now() + ((error.body.retry_after ?? 60) + 1) * 1000
      waits(until)
      await pause(until - Date.now(), signal)
    }
}
