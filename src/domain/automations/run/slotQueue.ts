// Runs that wait for a concurrency slot inside of their Temporal activity (developer-api.md 7.11 rule 7). A process that releases a slot
// calls the next run immediately, without a request to Temporal. One query per interval finds the runs that other processes have changed.
import { Effect, Latch } from "effect"

/** Waiting runs in a process, and those of one organization: each uses an activity slot. A run beyond them waits by a timer. */
const AT_MOST = 400
const OF_ONE = 200
/** Time after which the activity starts anew, long before its time-out. */
const PATIENCE = "5 minutes"
const LOOK_EVERY = "1 second"

/** Resumes when the run is called to a slot or has changed otherwise; `long`: its waiting time in this activity has passed. */
export type QueuedRun = Effect.Effect<"called" | "long">

/** @param moved returns those of the runs that hold a slot, are to be cancelled or have ended; another process may have changed them */
export const makeSlotQueue = Effect.fnUntraced(function* <E, R>(
  moved: (runIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, E, R>
) {
  const waiters = new Map<string, { readonly orgId: number; readonly bell: Latch.Latch; waits: boolean }>()

  const call = (runIds: ReadonlyArray<string>) =>
    Effect.forEach(runIds, (id) => waiters.get(id)?.bell.open ?? Effect.void, { discard: true })

  const ofOrganization = (orgId: number) => [...waiters].flatMap(([id, one]) => (one.orgId === orgId ? [id] : []))

  const hasRoom = (orgId: number) => waiters.size < AT_MOST && ofOrganization(orgId).length < OF_ONE

  const enter = Effect.fnUntraced(function* (orgId: number, runId: string) {
    // Another waiter with the same id is an earlier attempt of the activity, which Temporal has given up.
    yield* call([runId])
    if (!waiters.has(runId) && !hasRoom(orgId)) return null
    const entry = { orgId, bell: Latch.makeUnsafe(false), waits: false }
    waiters.set(runId, entry)
    return entry
  })

  /** Registers the run until the scope closes; call it before the request for a slot, so that no call is missed. Null: no room. */
  const stand = (orgId: number, runId: string) =>
    Effect.acquireRelease(enter(orgId, runId), (one) =>
      Effect.sync(() => {
        if (waiters.get(runId) === one) waiters.delete(runId)
      })
    ).pipe(
      Effect.map((one): QueuedRun | null =>
        one === null
          ? null
          : Effect.suspend(() => {
              one.waits = true
              return Effect.timeoutOrElse(Effect.as(one.bell.await, "called" as const), {
                duration: PATIENCE,
                orElse: () => Effect.succeed("long" as const)
              })
            })
      )
    )

  yield* Effect.suspend(() => {
    const waitingIds = [...waiters].flatMap(([id, { waits }]) => (waits ? [id] : []))
    return waitingIds.length === 0 ? Effect.void : Effect.flatMap(moved(waitingIds), call)
  }).pipe(
    Effect.catchCause((cause) => Effect.logDebug("the line for places was not looked at", cause)),
    Effect.andThen(Effect.sleep(LOOK_EVERY)),
    Effect.forever,
    Effect.forkScoped
  )

  return { call, stand, standing: ofOrganization }
})
