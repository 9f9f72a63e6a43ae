// Filters the feed of changes by what a caller may see (developer-api.md 1.7, 2.3, 2.4): the kinds that the credential's scopes cover, in
// apps on which the user has the level that reading them needs. The rights on each app, and the credential, are checked again every few
// seconds.
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { ChangeFeed, type Heard } from "../../engine/changes/ChangeFeed.ts"
import type { ChangeKind, FeedChange } from "../../engine/changes/changeRows.ts"
import { BoundedMap } from "../../platform/primitives/BoundedMap.ts"
import { Access, type Level } from "../accounts/Access.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import type { Scope as ApiScope } from "../accounts/Scope.ts"
import { deliveryId } from "../webhooks/Delivery.ts"

export const watchedKinds = ["records", "apps", "runs", "deliveries"] as const
export type WatchedKind = (typeof watchedKinds)[number]

/** Rights that reading each kind needs. */
export const kindRights: Record<WatchedKind, { of: ChangeKind; scope: ApiScope; level: Level }> = {
  records: { of: "record", scope: "records:read", level: 1 },
  apps: { of: "app", scope: "apps:read", level: 1 },
  runs: { of: "run", scope: "automations:read", level: 5 },
  deliveries: { of: "delivery", scope: "webhooks:manage", level: 5 }
}

const RIGHTS_MILLIS = 5_000
const APPS_REMEMBERED = 1_000

export interface ChangesWanted {
  readonly kinds: ReadonlySet<WatchedKind>
  /** Limits the changes to this app. */
  readonly appId: number | undefined
  /** A cursor of an earlier stream. */
  readonly after: string | undefined
}

export interface SeenChange {
  readonly event: ChangeKind
  readonly data: Readonly<Record<string, unknown>>
}

export interface ChangesSeen {
  /** Changes before these were lost: the caller must read everything again. */
  readonly lost: boolean
  readonly changes: ReadonlyArray<SeenChange>
  readonly cursor: string
}

export interface ChangeWatch {
  readonly first: ChangesSeen
  /** Waits until something has changed for anybody in the organization. */
  readonly wait: Effect.Effect<void>
  readonly take: Effect.Effect<ChangesSeen>
  readonly cursor: () => string
}

const dataOf = ({ app_id, detail, kind }: FeedChange): Readonly<Record<string, unknown>> => {
  if (kind !== "delivery") return { app_id, ...detail }
  const { event_id, hook_id, ...rest } = detail
  return { app_id, delivery_id: deliveryId(Number(hook_id), Number(event_id)), hook_id, ...rest }
}

export class SeenChanges extends Context.Service<
  SeenChanges,
  {
    /** @param caller current caller, called anew for each check */
    readonly watch: (caller: () => CallerShape, wanted: ChangesWanted) => Effect.Effect<ChangeWatch, never, Scope.Scope>
  }
>()("millrace/changes/SeenChanges") {
  static readonly layer = Layer.effect(
    SeenChanges,
    Effect.gen(function* () {
      const feed = yield* ChangeFeed
      const access = yield* Access

      const watch = Effect.fn("SeenChanges.watch")(function* (caller: () => CallerShape, wanted: ChangesWanted) {
        const levels = new BoundedMap<number, { readonly level: Level; readonly at: number }>(APPS_REMEMBERED)
        const rights = new Map([...wanted.kinds].map((kind) => [kindRights[kind].of, kindRights[kind]]))

        const levelOn = Effect.fnUntraced(function* (appId: number) {
          const nowMillis = yield* Clock.currentTimeMillis
          const cachedLevel = levels.get(appId)
          if (cachedLevel !== undefined && nowMillis - cachedLevel.at < RIGHTS_MILLIS) return cachedLevel.level
          const level = yield* access.check(caller(), "app", appId, 0).pipe(
            Effect.map((grant) => grant.level),
            Effect.catchTag(["NotFound", "RecordNotFound", "Restricted"], () => Effect.succeed<Level>(0))
          )
          levels.set(appId, { level, at: nowMillis })
          return level
        })

        const maySee = Effect.fnUntraced(function* ({ app_id, detail, kind }: FeedChange) {
          const needed = rights.get(kind)
          if (needed === undefined || (wanted.appId !== undefined && wanted.appId !== app_id)) return false
          if (!holds(caller(), needed.scope)) return false
          if ("comment_id" in detail && !holds(caller(), "records.comments:read")) return false
          return (yield* levelOn(app_id)) >= needed.level
        })

        const filterChanges = Effect.fnUntraced(function* (heard: Heard) {
          const changes = yield* Effect.filter(heard.changes, maySee)
          return {
            lost: heard.lost,
            cursor: heard.cursor,
            changes: changes.map((change) => ({ event: change.kind, data: dataOf(change) }))
          } satisfies ChangesSeen
        })

        const listening = yield* feed.listen(caller().orgId, wanted.after)
        return {
          first: yield* filterChanges(listening.first),
          wait: listening.wait,
          take: Effect.suspend(() => filterChanges(listening.take())),
          cursor: listening.cursor
        } satisfies ChangeWatch
      })
      return SeenChanges.of({ watch })
    })
  )
}
