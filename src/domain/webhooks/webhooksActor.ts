// Webhook actor on the common engine: claims, executes, commits, notifies (design: webhooks; decisions W1 to W5).
import { Clock, Effect, FiberSet, Random } from "effect"
import type { Activation, ActorKind, ActorWork, ClaimRequest } from "../../engine/actors/ActorKind.ts"
import { isHeld } from "../../engine/actors/fence.ts"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import { makeBundleManager } from "./bundles/bundleManager.ts"
import type { Directs } from "./bundles/directFanOut.ts"
import { addInFlight, type InFlight, makeClaim, nothingInFlight, windowAt } from "./claim.ts"
import { claimOf, type Window } from "./claimParts.ts"
import { makeDeliveryJobs } from "./deliveryJobs.ts"
import { makeDueApps } from "./dueApps.ts"
import { HookNotices } from "./HookNotices.ts"
import { hookActorCommands } from "./hookActorCommands.ts"
import { detailLines, type HookLine, makeOverview } from "./hookDetails.ts"
import { makeFanOut } from "./hookFanOut.ts"
import { makeInFlightLimit } from "./inFlightLimit.ts"
import type { Result } from "./judgeResults.ts"
import { type DeliveryRow, KIND_NAME, WORKFLOW_TYPE, type WorkRow } from "./mailboxRows.ts"
import { makeReplayRounds } from "./replays/replayRounds.ts"
import { makeResultStatements } from "./resultStatements.ts"
import { makeSetAsideDelivery } from "./setAsideDelivery.ts"
import { shareOf } from "./shares.ts"
import { makeVerificationJobs } from "./verificationJobs.ts"
import { WebhookSettings } from "./WebhookSettings.ts"
import { makeWriteResults } from "./writeResults.ts"

/** Maximum age of the operator's table, and its maximum age after a change. */
const OVERVIEW_MILLIS = 5_000
const CHANGED_OVERVIEW_MILLIS = 500
/** A concurrency slot is free as soon as its POST has ended; as many results again may wait for their commit. */
const SLOTS_PER_PLACE = 2
/**
 * Milliseconds for which results gather behind a commit of so many: a commit costs as much as its deliveries until there are hundreds of them
 * (docs/benchmarks.md, "Measured choices"). Few results hardly wait, for the next delivery of their record may wait for them (W3).
 */
const gatherResults = (results: number) => Math.min(25, results / 8)
/** Between rounds of an app's replays, however often it claims. */
const REPLAY_ROUND_MILLIS = 100

export const webhooksKind = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const settings = yield* WebhookSettings
  const { gatherMillis } = yield* ActorTuning
  const jobs = yield* makeDeliveryJobs
  const notices = yield* HookNotices
  const commandJobs = yield* makeVerificationJobs
  const setAside = yield* makeSetAsideDelivery
  const { askDeliveries, claimCommands } = yield* makeClaim(settings)
  const writeResults = yield* makeWriteResults(settings, notices)
  const { releaseAll } = yield* makeResultStatements
  const { ofApp: overviewOf } = yield* makeOverview
  const replayRound = yield* makeReplayRounds(settings)
  const posts = makeInFlightLimit()
  const directs: Directs = new Map()
  const bundleHolding = yield* makeBundleManager

  const activate = Effect.fnUntraced(function* (activation: Activation) {
    const appId = Number(activation.id)
    const inAir = new Map<number, InFlight>()
    let lastHook = 0
    let window: Window = { start: Number.NEGATIVE_INFINITY, used: 0, cap: settings.perWindow }
    let overview: ReadonlyArray<HookLine> = []
    let overviewAt = Number.NEGATIVE_INFINITY
    let changed = false
    let replayAt = Number.NEGATIVE_INFINITY

    // Due deliveries were left for want of slots: the first slot that becomes free after a claim triggers a new claim, which uses others
    // too.
    let pressing = false
    let freed = false
    const lookSoon = Effect.suspend(() => activation.lookAt(clock.currentTimeMillisUnsafe() + gatherMillis))
    // Releases blocked deliveries: a process may have ended between results and release.
    if (!activation.orderly) yield* activation.statement(releaseAll("app_id", appId), () => true)

    const holding = yield* bundleHolding({
      activation,
      directs,
      inAir,
      share: (busy) => shareOf(settings, busy)
    })

    const write = Effect.fnUntraced(function* (results: ReadonlyArray<Result>) {
      const nowMillis = clock.currentTimeMillisUnsafe()
      const seed = yield* Random.next
      // Draws once per batch and spreads the value over its rows: retries of one outage must not arrive together.
      let index = 0
      const random = () => (seed + index++ * 0.618_033_988_749_895) % 1
      const { health, nextAt } = yield* writeResults(
        activation,
        results,
        new Date(nowMillis),
        random,
        holding.takeApart
      )
      for (const { row } of results) holding.over(row)
      overview = overview.map((hook) => {
        const hookHealth = health.get(hook.hook_id)
        return hookHealth === undefined
          ? hook
          : { ...hook, status: hookHealth.status, num_failed_executions: hookHealth.failures }
      })
      changed = true
      yield* activation.lookAt(nextAt)
    })

    const adjustSlots = ({ hook_id, tries }: DeliveryRow, by: 1 | -1) =>
      inAir.set(hook_id, addInFlight(inAir.get(hook_id) ?? nothingInFlight, by, tries > 0))
    const posting = () => [...inAir.values()].reduce((sum, { places }) => sum + places, 0)
    const countFreeSlots = (limit: number) => Math.max(0, Math.min(limit, settings.slots - posting()))

    const fork = yield* FiberSet.makeRuntime<never>()
    const deliveryJob = jobs({
      appId,
      fork,
      begins: (row) => {
        adjustSlots(row, 1)
        posts.begins(appId)
      },
      ended: (row) => {
        adjustSlots(row, -1)
        posts.ended(appId)
        if ((pressing || holding.waiting()) && !freed) Effect.runSync(lookSoon)
        freed = true
      },
      submit: yield* activation.batched(write, { gather: gatherResults })
    })

    const commandJob = commandJobs(activation)

    const replays = Effect.fnUntraced(function* (now: Date) {
      if (now.getTime() < replayAt) return yield* activation.lookAt(replayAt)
      replayAt = now.getTime() + REPLAY_ROUND_MILLIS
      yield* activation.lookAt(yield* replayRound(activation, now))
    })

    const ask = (request: ClaimRequest) => {
      const limit = posts.room(appId, countFreeSlots(request.limit))
      freed = false
      return askDeliveries(activation, { ...request, limit }, inAir, lastHook)
    }

    const processClaim = Effect.fnUntraced(function* (
      request: ClaimRequest,
      claimedRows: Effect.Success<ReturnType<typeof ask>>
    ) {
      const claimed = claimOf(settings, claimedRows)
      const { heldSince, more, rows, upcoming } = claimed
      if (rows.length > 0) changed = true
      window = claimed.window
      pressing = more && window.used < window.cap
      if (pressing && freed) yield* lookSoon
      if (more && !pressing) yield* activation.lookAt(window.start + settings.windowMillis)
      else if (upcoming !== null) yield* activation.lookAt(upcoming.getTime())
      if (claimed.replays) yield* replays(request.now)
      if (heldSince !== null) yield* activation.lookAt(heldSince.getTime() + settings.windowMillis)
      lastHook = rows.at(-1)?.hook_id ?? lastHook
      // Commands come on top of the limit: verifications are few and do not wait.
      const commands = claimed.commands ? yield* activation.once.commit(claimCommands(activation, request)) : []
      return [
        ...commands.map((row) => commandJob({ ...row, kind: "command", row_id: `command ${row.event_id}` })),
        ...rows.map(deliveryJob)
      ]
    })

    const refresh = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      if (nowMillis - overviewAt < (changed ? CHANGED_OVERVIEW_MILLIS : OVERVIEW_MILLIS)) return
      changed = false
      overviewAt = nowMillis
      overview = yield* overviewOf(appId)
    })

    const details = Effect.map(Clock.currentTimeMillis, (now) =>
      detailLines(overview, inAir, windowAt(window, settings.windowMillis, now), settings.windowMillis, now)
    )

    const next = (limit: number) => {
      freed = false
      return Effect.map(holding.next(posts.room(appId, countFreeSlots(limit))), (rows) => rows.map(deliveryJob))
    }

    // Alternates between bundles and the queue: the queue gets half of the free slots, bundles the rest. If a claim leaves nothing in the
    // queue, the next one waits for its interval.
    let queueNext = false
    const claimQueue = (request: ClaimRequest) => {
      // Also if no bundle waits: the next one must not wait for another claim. Without a free slot its turn is still to come.
      queueNext = pressing && countFreeSlots(1) === 0
      return Effect.flatMap(activation.once.claim(ask(request), isHeld), (rows) => processClaim(request, rows))
    }
    const claim = Effect.fnUntraced(function* (request: ClaimRequest) {
      if (request.minClaims > 0 || !holding.waiting()) return yield* claimQueue(request)
      const requestedAt = request.now.getTime()
      const due = pressing ? requestedAt : holding.queueDueAt()
      if (!queueNext) {
        // All of the slots, if bundles took them first, would leave what is older in the queue for as long as others come.
        const direct = yield* next(pressing ? Math.ceil(countFreeSlots(request.limit) / 2) : request.limit)
        if (direct.length > 0 || requestedAt < due) {
          queueNext = due <= requestedAt
          yield* activation.lookAt(pressing ? requestedAt : Math.max(requestedAt + gatherMillis, due))
          return direct
        }
      }
      holding.asksQueue(requestedAt)
      // Looks again if a slot is free; otherwise the first POST to end does so.
      if (countFreeSlots(1) > 0) yield* activation.lookAt(requestedAt)
      return yield* claimQueue({ ...request, limit: Math.ceil(request.limit / 2) })
    })

    return {
      slots: SLOTS_PER_PLACE * settings.slots,
      claim,
      acceptRows: holding.acceptRows,
      setAside,
      details,
      refresh
    } satisfies ActorWork<WorkRow>
  })

  return {
    name: KIND_NAME,
    workflowType: WORKFLOW_TYPE,
    summary: (id) => `Webhooks of app ${id}`,
    perApp: true,
    commands: hookActorCommands,
    look: yield* makeFanOut(directs),
    ...(yield* makeDueApps),
    activate
  } satisfies ActorKind as ActorKind
})
