// Feed of the changes in an organization, for any number of listeners in any process (decisions, "Events"). Triggers write rows while
// somebody listens (./changeRows.ts); each process reads them by snapshot, once for all of its listeners. A listener reads its own data
// after it has begun to listen, and again after each reported loss.
import { Cause, Clock, Context, Effect, Latch, Layer, type Scope } from "effect"
import { OpenTransactions } from "../../platform/sql/OpenTransactions.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { inBrief } from "../../platform/sql/transientErrors.ts"
import { readCursor, type SnapshotText, visibleIn, xminOf } from "./Cursor.ts"
import { type FeedChange, makeChangeRows, type Unknown } from "./changeRows.ts"

const RENEW_MILLIS = 20_000
const LOOK_MILLIS = 250
/** Most pending changes of one listener; a slower listener is told to read anew. */
const BUFFERED = 1_000
/** Most changes read by one look, for all listeners of the process. */
const READ_AT_ONCE = 5_000

export interface Heard {
  readonly changes: ReadonlyArray<FeedChange>
  /** True if changes before these were lost, or are no longer known. */
  readonly lost: boolean
  /** Cursor to resume from once all of these changes have been heard. */
  readonly cursor: SnapshotText
}

export interface Listening {
  readonly first: Heard
  /** Waits until there are changes or a loss. */
  readonly wait: Effect.Effect<void>
  readonly take: () => Heard
  /** Cursor to resume from if no changes have come. */
  readonly cursor: () => SnapshotText
}

interface Listener {
  pending: Array<FeedChange>
  lost: boolean
  cursor: SnapshotText
  /** Waits for transactions that began before the listener was known, up to this one; their end is then reported as a loss. */
  owed: bigint | undefined
  readonly latch: Latch.Latch
}

interface Listened {
  readonly listeners: Set<Listener>
  renewedAt: number
  /** Last known `change_listeners.since`; null: the listener row is gone, so changes are not written; undefined: not read yet. */
  since: string | null | undefined
}

export class ChangeFeed extends Context.Service<
  ChangeFeed,
  {
    /** @param after a cursor of this feed, from any process */
    readonly listen: (orgId: number, after?: string) => Effect.Effect<Listening, never, Scope.Scope>
  }
>()("millrace/changes/ChangeFeed") {
  static readonly layer = Layer.effect(
    ChangeFeed,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const rows = makeChangeRows(yield* Sql)
  const { listenerMillis } = yield* OpenTransactions
  const orgs = new Map<number, Listened>()
  const listenersLatch = Latch.makeUnsafe(false)
  const poked = Latch.makeUnsafe(false)
  let lookLatch = Latch.makeUnsafe(false)
  let begunLooks = 0
  let finishedLooks = 0
  let snapshot: SnapshotText | undefined

  const renew = Effect.fnUntraced(function* (orgId: number) {
    const renewedAt = yield* Clock.currentTimeMillis
    const began = yield* rows.renew(orgId)
    const listened = orgs.get(orgId)
    if (listened !== undefined) {
      listened.renewedAt = renewedAt
      if (listened.since === undefined) listened.since = began
    }
  })

  const lose = (listener: Listener) => {
    listener.pending = []
    listener.lost = true
  }

  /** Handles a crash of the database, a listener row that nobody renewed in time, or rows that were deleted before anybody saw them. */
  const forgotten = (unknown: Unknown) => {
    for (const [orgId, since] of Object.entries(unknown ?? {})) {
      const listened = orgs.get(Number(orgId))
      if (listened?.since === undefined || listened.since === since) continue
      listened.since = since
      if (since === null) listened.renewedAt = 0
      for (const listener of listened.listeners) lose(listener)
    }
  }

  /** Opens the latches of listeners with news. Called last, since a waiting listener may go on at once. */
  const wake = () => {
    for (const { listeners } of orgs.values())
      for (const { latch, lost, pending } of listeners) if (lost || pending.length > 0) latch.openUnsafe()
  }

  const hand = (changes: ReadonlyArray<FeedChange>, now: SnapshotText) => {
    for (const change of changes)
      for (const listener of orgs.get(change.org_id)?.listeners ?? [])
        if (listener.pending.length >= BUFFERED) lose(listener)
        else listener.pending.push(change)
    const low = xminOf(now)
    for (const { listeners } of orgs.values())
      for (const listener of listeners) {
        listener.cursor = now
        if (listener.owed === undefined || low < listener.owed) continue
        listener.owed = undefined
        // Pending changes stay: the loss is reported before them.
        listener.lost = true
      }
    wake()
  }

  const readChanges = Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    for (const [orgId, { renewedAt }] of [...orgs]) if (nowMillis - renewedAt >= RENEW_MILLIS) yield* renew(orgId)
    if (snapshot === undefined) {
      snapshot = yield* rows.current
      // A listener that waits for this first look alone resumes from its snapshot.
      hand([], snapshot)
      return
    }
    const changeRows = yield* rows.since(snapshot, [...orgs.keys()], READ_AT_ONCE)
    snapshot = changeRows[0]!.snapshot
    forgotten(changeRows[0]!.unknown)
    const changes = changeRows.flatMap(({ change }) => change ?? [])
    if (changes.length > READ_AT_ONCE)
      for (const { listeners } of orgs.values()) for (const listener of listeners) lose(listener)
    hand(changes.length > READ_AT_ONCE ? [] : changes, snapshot)
  })

  const lookOnce = Effect.gen(function* () {
    yield* listenersLatch.await
    poked.closeUnsafe()
    const lookNumber = ++begunLooks
    yield* readChanges
    finishedLooks = lookNumber
    lookLatch.openUnsafe()
    lookLatch = Latch.makeUnsafe(false)
    yield* Effect.raceFirst(Effect.sleep(LOOK_MILLIS), poked.await)
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.andThen(Effect.logWarning("changes cannot be read", inBrief(cause)), Effect.sleep("1 second"))
    )
  )
  yield* Effect.forkScoped(Effect.forever(lookOnce))

  /** Waits for a look that begins after this call. */
  const nextLook = Effect.gen(function* () {
    const wantedLook = begunLooks + 1
    while (finishedLooks < wantedLook) {
      poked.openUnsafe()
      yield* lookLatch.await
    }
  })

  const join = (orgId: number) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const listener: Listener = {
          pending: [],
          lost: false,
          cursor: "",
          owed: undefined,
          latch: Latch.makeUnsafe(false)
        }
        const listened = orgs.get(orgId) ?? { listeners: new Set(), renewedAt: 0, since: undefined }
        listened.listeners.add(listener)
        orgs.set(orgId, listened)
        listenersLatch.openUnsafe()
        return listener
      }),
      (listener) =>
        Effect.sync(() => {
          const listened = orgs.get(orgId)
          listened?.listeners.delete(listener)
          if (listened?.listeners.size === 0) orgs.delete(orgId)
          if (orgs.size > 0) return
          // Stops reading, and forgets the snapshot: without listeners the feed need not be followed.
          listenersLatch.closeUnsafe()
          snapshot = undefined
        })
    )

  const take = (listener: Listener): Heard => {
    const { cursor, lost, pending } = listener
    listener.pending = []
    listener.lost = false
    listener.latch.closeUnsafe()
    return { changes: pending, lost, cursor }
  }

  /**
   * Waits for transactions that were open when the listener came, which may have looked for listeners before: up to `listenerMillis`, after
   * which their end is reported as a loss.
   */
  const catchUp = Effect.fnUntraced(function* (listener: Listener) {
    const until = yield* rows.latest
    const came = yield* Clock.currentTimeMillis
    do {
      yield* nextLook
      if (xminOf(snapshot!) >= until) return
    } while ((yield* Clock.currentTimeMillis) - came < listenerMillis)
    listener.owed = until
  })

  const resumed = Effect.fnUntraced(function* (orgId: number, after: SnapshotText) {
    const changeRows = yield* rows.since(after, [orgId], BUFFERED)
    const currentSnapshot = changeRows[0]!.snapshot
    if (changeRows[0]!.unknown !== null) return undefined
    const changes = changeRows.flatMap(({ change }) => change ?? [])
    // Rejects a cursor from the future: it belongs to another history of the database.
    if (changes.length > BUFFERED || BigInt(after.split(":")[1]!) > BigInt(currentSnapshot.split(":")[1]!))
      return undefined
    return { changes, lost: false, cursor: currentSnapshot } satisfies Heard
  })

  /**
   * Drops pending changes that are visible in `told`, which the listener has been told of. Changes that come from now on are not visible in
   * it.
   */
  const onlyBehind = Effect.fnUntraced(function* (listener: Listener, told: SnapshotText) {
    yield* nextLook
    listener.pending = listener.pending.filter(({ made_in }) => !visibleIn(told, BigInt(made_in)))
  })

  const listen = Effect.fn("ChangeFeed.listen")(function* (orgId: number, after?: string) {
    const listener = yield* join(orgId)
    yield* renew(orgId)
    const cursor = after === undefined ? undefined : readCursor(after)
    let firstHeard: Heard | undefined
    if (cursor !== undefined) {
      yield* nextLook
      firstHeard = yield* resumed(orgId, cursor)
      if (firstHeard !== undefined) yield* onlyBehind(listener, firstHeard.cursor)
    }
    if (firstHeard === undefined) {
      yield* catchUp(listener)
      firstHeard = { ...take(listener), changes: [], lost: after !== undefined }
    }
    return {
      first: firstHeard,
      wait: Effect.asVoid(listener.latch.await),
      take: () => take(listener),
      cursor: () => listener.cursor
    } satisfies Listening
  }, orSqlDefect)

  return ChangeFeed.of({ listen })
})
