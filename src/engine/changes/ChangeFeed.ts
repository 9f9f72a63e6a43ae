// What changes in an organization, for any number of listeners in any process (decisions, "Events"): rows that triggers write while
// somebody listens (migration 0040), read by snapshot, once for all listeners of a process. Who listens reads what they want to know
// after they have begun, or after they were told that something was lost.
import { Cause, Clock, Context, Effect, Latch, Layer, Schema, type Scope } from "effect"
import { inBrief } from "../../ground/sql/away.ts"
import { jsonb } from "../../ground/sql/columns.ts"
import { rowOf, rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { readCursor, type SnapshotText, visibleIn, xminOf } from "./Cursor.ts"

/** So long rows go on being written, and are kept, for who was cut off. */
export const RESUMABLE_SECONDS = 300
const RENEW_MILLIS = 20_000
/** Whose time is over so soon begins anew: what is written while it is made longer may be written behind its end. */
const ENDING_SECONDS = 5
const LOOK_MILLIS = 250
/** For one listener; who is slower is told to read anew. */
const BUFFERED = 1_000
/** At one look, for all listeners of the process. */
const READ_AT_ONCE = 5_000
/** How long a listener waits for transactions that were open when it came. */
const OPENING_MILLIS = 2_000

const shape = {
  org_id: Schema.Int,
  app_id: Schema.Int,
  /** The transaction. */
  made_in: Schema.String,
  kind: Schema.Literals(["record", "app", "run", "delivery"]),
  detail: jsonb<Readonly<Record<string, unknown>>>()
}
const FeedChange = Schema.Struct(shape)
export type FeedChange = typeof FeedChange.Type
export type ChangeKind = FeedChange["kind"]

export interface Heard {
  readonly changes: ReadonlyArray<FeedChange>
  /** Before these: some were lost, or those before them are no longer known. */
  readonly lost: boolean
  /** Where to go on once all of them have been heard. */
  readonly cursor: SnapshotText
}

export interface Listening {
  readonly first: Heard
  /** Until there is something. */
  readonly wait: Effect.Effect<void>
  readonly take: () => Heard
  /** Where to go on if nothing has come. */
  readonly cursor: () => SnapshotText
}

interface Listener {
  pending: Array<FeedChange>
  lost: boolean
  cursor: SnapshotText
  /** Transactions that began before the listener was known, up to this one, are waited for and then told as a loss. */
  owed: bigint | undefined
  readonly latch: Latch.Latch
}

interface Listened {
  readonly listeners: Set<Listener>
  renewedAt: number
  /** As it was last known (`change_listeners.since`); null: nobody is listened to. */
  since: string | null | undefined
}

const Snapshot = Schema.Struct({ snapshot: Schema.String })
const Since = Schema.Struct({ since: Schema.String })
const Began = Schema.Struct({ ...Since.fields, now: Schema.String })
const Seen = Schema.Struct({
  snapshot: Schema.String,
  change: Schema.NullOr(FeedChange),
  /** Organizations of which not all that came behind `seen` is known any more, and since when it is. */
  unknown: Schema.NullOr(jsonb<Readonly<Record<string, string | null>>>())
})

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
  const sql = yield* Sql
  const orgs = new Map<number, Listened>()
  const wanted = Latch.makeUnsafe(false)
  const poked = Latch.makeUnsafe(false)
  let looked = Latch.makeUnsafe(false)
  let begun = 0
  let done = 0
  let snapshot: SnapshotText | undefined

  const renew = Effect.fnUntraced(function* (orgId: number) {
    const at = yield* Clock.currentTimeMillis
    yield* sql`
      DELETE FROM change_listeners
      WHERE org_id = ${orgId} AND until < clock_timestamp() + make_interval(secs => ${ENDING_SECONDS})`
    const { now, since } = (yield* rowOf(Began)(sql`
      SELECT change_listen(${orgId}, ${RESUMABLE_SECONDS})::text AS since, pg_current_xact_id()::text AS now`))!
    // Who wrote before that was committed has not seen that anybody listens, and may have begun later.
    const [seen] =
      since === now
        ? yield* rowsOf(Since)(sql`
            UPDATE change_listeners SET since = greatest(since, pg_current_xact_id()) WHERE org_id = ${orgId}
            RETURNING since::text AS since`)
        : []
    const began = seen?.since ?? since
    const listened = orgs.get(orgId)
    if (listened !== undefined) {
      listened.renewedAt = at
      if (listened.since === undefined) listened.since = began
    }
  })

  /**
   * Visible now, and not in `seen`; with a row that is empty but for the snapshot where there is none. What is forgotten meanwhile is either
   * among them or said to be unknown.
   */
  const since = (seen: SnapshotText, orgIds: ReadonlyArray<number>, most: number) =>
    rowsOf(Seen)(sql`
      SELECT pg_current_snapshot()::text AS snapshot, CASE WHEN row_number() OVER (ORDER BY c.change_id) = 1 THEN (
          SELECT jsonb_object_agg(org_id, l.since::text) FROM unnest(${orgIds.map(String)}::text[]::bigint[]) AS org_id
          LEFT JOIN change_listeners l USING (org_id)
          WHERE l.since IS NULL OR l.since >= pg_snapshot_xmin(${seen}::text::pg_snapshot)) END AS unknown,
        CASE WHEN c.change_id IS NOT NULL THEN jsonb_build_object('org_id', c.org_id, 'app_id', c.app_id, 'made_in', c.made_in::text,
          'kind', c.kind, 'detail', c.detail) END AS change
      FROM (SELECT 1) one LEFT JOIN LATERAL (
        SELECT * FROM changes WHERE org_id = ANY(${orgIds.map(String)}::text[]::bigint[])
          AND (made_in >= pg_snapshot_xmax(${seen}::text::pg_snapshot)
            OR made_in = ANY(ARRAY(SELECT pg_snapshot_xip(${seen}::text::pg_snapshot))))
        ORDER BY change_id LIMIT ${most + 1}) c ON true
      ORDER BY c.change_id`)

  const lose = (listener: Listener) => {
    listener.pending = []
    listener.lost = true
  }

  /** The database has crashed, nobody renewed in time, or rows were too old before anybody saw them. */
  const forgotten = (unknown: (typeof Seen.Type)["unknown"]) => {
    for (const [orgId, since] of Object.entries(unknown ?? {})) {
      const listened = orgs.get(Number(orgId))
      if (listened?.since === undefined || listened.since === since) continue
      listened.since = since
      if (since === null) listened.renewedAt = 0
      for (const listener of listened.listeners) lose(listener)
    }
  }

  /** Whoever waits may go on at once, so it is told last. */
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
        // What has been heard stays: the loss is told before it.
        listener.lost = true
      }
    wake()
  }

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const [orgId, { renewedAt }] of [...orgs]) if (now - renewedAt >= RENEW_MILLIS) yield* renew(orgId)
    if (snapshot === undefined) {
      snapshot = (yield* rowOf(Snapshot)(sql`SELECT pg_current_snapshot()::text AS snapshot`))!.snapshot
      // Who waits for this look alone goes on from here.
      hand([], snapshot)
      return
    }
    const rows = yield* since(snapshot, [...orgs.keys()], READ_AT_ONCE)
    snapshot = rows[0]!.snapshot
    forgotten(rows[0]!.unknown)
    const changes = rows.flatMap(({ change }) => change ?? [])
    if (changes.length > READ_AT_ONCE) for (const { listeners } of orgs.values()) for (const one of listeners) lose(one)
    hand(changes.length > READ_AT_ONCE ? [] : changes, snapshot)
  })

  const turn = Effect.gen(function* () {
    yield* wanted.await
    poked.closeUnsafe()
    const mine = ++begun
    yield* look
    done = mine
    looked.openUnsafe()
    looked = Latch.makeUnsafe(false)
    yield* Effect.raceFirst(Effect.sleep(LOOK_MILLIS), poked.await)
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.andThen(Effect.logWarning("changes cannot be read", inBrief(cause)), Effect.sleep("1 second"))
    )
  )
  yield* Effect.forkScoped(Effect.forever(turn))

  /** A look that begins after this. */
  const nextLook = Effect.gen(function* () {
    const wantedLook = begun + 1
    while (done < wantedLook) {
      poked.openUnsafe()
      yield* looked.await
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
        const known = orgs.get(orgId) ?? { listeners: new Set(), renewedAt: 0, since: undefined }
        known.listeners.add(listener)
        orgs.set(orgId, known)
        wanted.openUnsafe()
        return listener
      }),
      (listener) =>
        Effect.sync(() => {
          const known = orgs.get(orgId)
          known?.listeners.delete(listener)
          if (known?.listeners.size === 0) orgs.delete(orgId)
          if (orgs.size > 0) return
          // What was seen by nobody need not be followed.
          wanted.closeUnsafe()
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

  /** What was open when the listener came may have looked for listeners before: it ends first, or is told later. */
  const settle = Effect.fnUntraced(function* (listener: Listener) {
    const { snapshot: now } = (yield* rowOf(Snapshot)(
      sql`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS snapshot`
    ))!
    const until = BigInt(now)
    const came = yield* Clock.currentTimeMillis
    do {
      yield* nextLook
      if (xminOf(snapshot!) >= until) return
    } while ((yield* Clock.currentTimeMillis) - came < OPENING_MILLIS)
    listener.owed = until
  })

  const resumed = Effect.fnUntraced(function* (orgId: number, after: SnapshotText) {
    const rows = yield* since(after, [orgId], BUFFERED)
    const now = rows[0]!.snapshot
    if (rows[0]!.unknown !== null) return undefined
    const changes = rows.flatMap(({ change }) => change ?? [])
    // A cursor from the future is one of another history of the database.
    if (changes.length > BUFFERED || BigInt(after.split(":")[1]!) > BigInt(now.split(":")[1]!)) return undefined
    return { changes, lost: false, cursor: now } satisfies Heard
  })

  /** Of what the listener was handed meanwhile, what it has not been told with `told`; nothing that comes from now on is visible in that. */
  const onlyBehind = Effect.fnUntraced(function* (listener: Listener, told: SnapshotText) {
    yield* nextLook
    listener.pending = listener.pending.filter(({ made_in }) => !visibleIn(told, BigInt(made_in)))
  })

  const listen = Effect.fn("ChangeFeed.listen")(function* (orgId: number, after?: string) {
    const listener = yield* join(orgId)
    yield* renew(orgId)
    const cursor = after === undefined ? undefined : readCursor(after)
    let first: Heard | undefined
    if (cursor !== undefined) {
      yield* nextLook
      first = yield* resumed(orgId, cursor)
      if (first !== undefined) yield* onlyBehind(listener, first.cursor)
    }
    if (first === undefined) {
      yield* settle(listener)
      first = { ...take(listener), changes: [], lost: after !== undefined }
    }
    return {
      first,
      wait: Effect.asVoid(listener.latch.await),
      take: () => take(listener),
      cursor: () => listener.cursor
    } satisfies Listening
  }, orSqlDefect)

  return ChangeFeed.of({ listen })
})
