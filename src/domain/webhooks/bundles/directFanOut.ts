// Passes deliveries from the fan-out directly to an activation of the same process (docs/architecture/flow.md, "Bundles"): selects the
// deliveries, and tells the activation their outcome when the relay's transaction has ended.
import { Effect } from "effect"
import type { Activation, DirectFanOut, FannedOut } from "../../../engine/actors/ActorKind.ts"
import type { NotifiedEvent } from "../notifiedEvents.ts"
import { recordsOfSeveral } from "../queueDeliveries.ts"
import type { WebhookSettingsShape } from "../WebhookSettings.ts"
import type { NewBundle } from "./Bundle.ts"
import { restOf } from "./bundledRow.ts"
import { makeInsertBundles, type Taken } from "./insertBundles.ts"

type Outcome = Parameters<DirectFanOut["ended"]>[0]

/** An activation that takes deliveries as they are fanned out. */
export interface Direct {
  readonly activation: Pick<Activation, "id" | "key" | "fence">
  /** Deliveries that it accepts now; 0 if none. */
  readonly room: () => number
  /** Deliveries that it accepts now for a hook. */
  readonly roomOf: (hookId: number) => number
  /** Announces deliveries: the activation continues until `ended` reports their outcome. */
  readonly begins: (count: number) => void
  /** @param taken undefined: none were inserted, or the outcome is unknown */
  readonly ended: (bundles: ReadonlyArray<NewBundle>, taken: Taken | undefined, outcome: Outcome) => void
}

/** Activations by app id. */
export type Directs = Map<number, Direct>

/** Longer bodies become rows of the log at once, so that they take no memory. */
const BODY_AT_MOST = 32_768

/** Deliveries of bundles. */
export const countOf = (bundles: ReadonlyArray<NewBundle>) => bundles.reduce((sum, { hooks }) => sum + hooks.length, 0)

interface Going {
  readonly direct: Direct
  readonly bundles: Map<NotifiedEvent, NewBundle>
  /** Deliveries taken so far, by hook id. */
  readonly taken: Map<number, number>
  room: number
}

export const makeDirectFanOut = (settings: WebhookSettingsShape, directs: Directs) =>
  Effect.map(makeInsertBundles(settings), (bundling) => (events: ReadonlyArray<NotifiedEvent>, now: Date) => {
    const repeatedRecords = recordsOfSeveral(events)
    const fanOutByApp = new Map<number, Going>()
    const ofApp = (appId: number) => {
      const knownApp = fanOutByApp.get(appId)
      const direct = directs.get(appId)
      if (knownApp !== undefined || direct === undefined) return knownApp
      const newApp: Going = { direct, bundles: new Map(), taken: new Map(), room: direct.room() }
      fanOutByApp.set(appId, newApp)
      return newApp
    }

    /** True if the activation takes the delivery directly; the caller must not queue it then. */
    const takeDelivery = (appId: number, hookId: number, event: NotifiedEvent): boolean => {
      const app = ofApp(appId)
      if (app === undefined || app.room <= 0) return false
      const ofHook = app.taken.get(hookId) ?? 0
      if (ofHook >= app.direct.roomOf(hookId)) return false
      const existingBundle = app.bundles.get(event)
      if (existingBundle === undefined) {
        if (repeatedRecords.has(event.record_id)) return false
        const bodyRest = restOf(event)
        if (bodyRest.length > BODY_AT_MOST) return false
        const { created_on, event_id, record_id, traceparent, type } = event
        app.bundles.set(event, {
          ...{ created_on, event_id, record_id, rest: bodyRest, type },
          traceparent: traceparent ?? null,
          hooks: [hookId]
        })
      } else existingBundle.hooks.push(hookId)
      app.room--
      app.taken.set(hookId, ofHook + 1)
      return true
    }

    /** Returns the statements and the callback of the transaction. Call it once, after the last `takes`. */
    const collectWrites = (): Pick<FannedOut, "writes"> & Pick<DirectFanOut, "ended"> => {
      const appBundles = [...fanOutByApp.values()]
        .filter(({ bundles }) => bundles.size > 0)
        .map(({ bundles, direct }) => ({ direct, list: [...bundles.values()], row: undefined as Taken | undefined }))
      for (const { direct, list } of appBundles) direct.begins(countOf(list))
      return {
        writes: appBundles.map((app) =>
          Effect.map(bundling(app.direct.activation, app.list, now), ([row]) => {
            app.row = row
          })
        ),
        ended: (outcome) => {
          for (const { direct, list, row } of appBundles) direct.ended(list, row, outcome)
        }
      }
    }

    return { takes: takeDelivery, handing: collectWrites }
  })
