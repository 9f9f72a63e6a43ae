// Runs that stand in line for a place inside of their activity (developer-api.md 7.11 rule 7): whoever gives a place back calls the
// next one at once, and Temporal is asked for nothing meanwhile. What other processes do to them is looked at for all of them together.
import { Effect, Latch } from "effect"

/** In a process, and of them for one organization: each takes a slot from other activities. Who finds no room waits by a timer. */
const AT_MOST = 400
const OF_ONE = 200
/** Then the activity begins anew, long before its time-out. */
const PATIENCE = "5 minutes"
const LOOK_EVERY = "1 second"

export interface StandingInLine {
  /** Resumes when the run is called to a place, or something else became of it; `long`: it waits no longer here. */
  readonly called: Effect.Effect<"called" | "long">
}

/** @param moved of these runs, those that hold a place, are to be cancelled or are over: who moved them may be another process */
export const makeLine = Effect.fnUntraced(function* <E, R>(
  moved: (runIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, E, R>
) {
  const standing = new Map<string, { readonly orgId: number; readonly bell: Latch.Latch; waits: boolean }>()

  const call = (runIds: ReadonlyArray<string>) =>
    Effect.forEach(runIds, (id) => standing.get(id)?.bell.open ?? Effect.void, { discard: true })

  const ofOrganization = (orgId: number) => [...standing].flatMap(([id, one]) => (one.orgId === orgId ? [id] : []))

  const hasRoom = (orgId: number) => standing.size < AT_MOST && ofOrganization(orgId).length < OF_ONE

  const enter = Effect.fnUntraced(function* (orgId: number, runId: string) {
    // An earlier attempt of the activity, given up by Temporal.
    yield* call([runId])
    if (!standing.has(runId) && !hasRoom(orgId)) return null
    const one = { orgId, bell: Latch.makeUnsafe(false), waits: false }
    standing.set(runId, one)
    return one
  })

  /** From before a place is asked for, so that no call is missed; null: no room. Until the scope closes. */
  const stand = (orgId: number, runId: string) =>
    Effect.acquireRelease(enter(orgId, runId), (one) =>
      Effect.sync(() => {
        if (standing.get(runId) === one) standing.delete(runId)
      })
    ).pipe(
      Effect.map((one): StandingInLine | null =>
        one === null
          ? null
          : {
              called: Effect.suspend(() => {
                one.waits = true
                return Effect.timeoutOrElse(Effect.as(one.bell.await, "called" as const), {
                  duration: PATIENCE,
                  orElse: () => Effect.succeed("long" as const)
                })
              })
            }
      )
    )

  yield* Effect.suspend(() => {
    const waiting = [...standing].flatMap(([id, { waits }]) => (waits ? [id] : []))
    return waiting.length === 0 ? Effect.void : Effect.flatMap(moved(waiting), call)
  }).pipe(
    Effect.catchCause((cause) => Effect.logDebug("the line for places was not looked at", cause)),
    Effect.andThen(Effect.sleep(LOOK_EVERY)),
    Effect.forever,
    Effect.forkScoped
  )

  return { call, stand, standing: ofOrganization }
})
