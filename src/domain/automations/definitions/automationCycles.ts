// Finds chains that return to the automation that began them (developer-api.md 7.5 rule 4, 7.13 `warnings`). The search is breadth first
// through the active automations of the apps that the caller may see, so that it reports the shortest cycle.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { readStored, StoredParts } from "../input/storedDefinition.ts"
import type { Definition } from "../model/Definition.ts"
import type { Warning } from "../schema/ValidationModel.ts"
import { type ChainedStart, listensTo, startsOf } from "../warnings/chains.ts"
import { administeredApps } from "./administeredApps.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

/** Maximum of automations that the search visits; a longer cycle is not reported. */
const LOOKED_AT = 100
/** Maximum length of a chain, after which it stops by itself (7.5 rule 4). */
const DEPTH = 10

interface Node {
  readonly automation_id: number
  readonly app_id: number
  readonly name: string
  readonly filtered: boolean
  readonly definition: Definition
}
interface Link {
  readonly node: Node
  /** Step of the first automation with which the chain begins. */
  readonly action_id: string
  /** Names of the automations on the chain, without the first one. */
  readonly names: ReadonlyArray<string>
  readonly filtered: boolean
}
const NodeRow = Schema.Struct({
  ...StoredParts.fields,
  automation_id: Schema.Int,
  app_id: Schema.Int,
  name: Schema.String,
  filtered: Schema.Boolean
})

const texts = (ids: Iterable<number | undefined>) =>
  [...new Set(ids)].flatMap((id) => (id === undefined ? [] : [`${id}`]))

const FieldOfApp = Schema.Struct({ field_id: Schema.Int, app_id: Schema.Int })

export const makeAutomationCycles = (sql: Sql) => {
  /** Returns automations that one of the effects may start, the first one too, although it may be paused. */
  const started = Effect.fnUntraced(function* (
    startId: number,
    effects: ReadonlyArray<ChainedStart>,
    apps: ReadonlyArray<string>
  ) {
    const updated = texts(effects.flatMap(({ field_ids }) => field_ids ?? []))
    const by = (trigger: string) => texts(effects.filter((effect) => effect.trigger === trigger).map((e) => e.app_id))
    const fields = yield* rowsOf(FieldOfApp)(sql`
      SELECT field_id, app_id FROM fields WHERE field_id = ANY(${updated}::text[]::bigint[])`)
    const rows = yield* rowsOf(NodeRow)(sql`
      SELECT automation_id, app_id, name, filter IS NOT NULL AS filtered, trigger, NULL AS filter, actions, format
      FROM automations
      WHERE app_id = ANY(${apps}::text[]::bigint[]) AND deleted_on IS NULL
        AND ((NOT paused AND NOT broken) OR automation_id = ${startId})
        AND ((trigger_type = 'automation_called' AND automation_id = ANY(${texts(effects.map((e) => e.automation_id))}::text[]::bigint[]))
          OR (trigger_type = 'record_updated' AND app_id = ANY(${texts(fields.map((f) => f.app_id))}::text[]::bigint[]))
          OR (trigger_type = 'record_created' AND app_id = ANY(${by("record_created")}::text[]::bigint[]))
          OR (trigger_type = 'record_deleted' AND app_id = ANY(${by("record_deleted")}::text[]::bigint[]))
          OR (trigger_type = 'record_comment_or_reply_created'
            AND app_id = ANY(${by("record_comment_or_reply_created")}::text[]::bigint[])))
      ORDER BY automation_id <> ${startId}, automation_id LIMIT ${LOOKED_AT}`)
    const nodes = yield* Effect.forEach(rows, ({ actions, filter, format, trigger, ...row }) =>
      Effect.as(Effect.yieldNow, {
        ...row,
        definition: readStored({ actions, filter, format, trigger }).definition
      } satisfies Node)
    )
    return { nodes, appOf: new Map(fields.map((field) => [field.field_id, field.app_id])) }
  })

  const reaches = (effect: ChainedStart, node: Node, appOf: ReadonlyMap<number, number>): boolean => {
    if (node.definition.trigger?.type !== effect.trigger) return false
    if (effect.automation_id !== undefined) return effect.automation_id === node.automation_id
    if (effect.field_ids === undefined) return effect.app_id === node.app_id
    const fieldIdsOfApp = effect.field_ids.filter((id) => appOf.get(id) === node.app_id)
    return fieldIdsOfApp.length > 0 && listensTo(node.definition.trigger, fieldIdsOfApp)
  }

  /** Returns one warning, with the shortest cycle, for each step of the automation that begins one. */
  return Effect.fnUntraced(function* (row: AutomationRow, caller: CallerShape) {
    const startId = row.automation_id
    const start: Node = { ...row, filtered: row.filter !== null, definition: row }
    const apps = yield* administeredApps(sql, caller, { kind: "org" })
    const visitedIds = new Set([startId])
    const cycles = new Map<string, Link>()
    let frontier: ReadonlyArray<{ readonly from: Node; readonly link: Link | undefined }> = [
      { from: start, link: undefined }
    ]
    for (let depth = 1; depth <= DEPTH && frontier.length > 0 && visitedIds.size <= LOOKED_AT; depth++) {
      const effects = frontier.map(({ from, link }) => ({
        link,
        effects: [...startsOf(from.definition, from.app_id)]
      }))
      const allEffects = effects.flatMap((one) => one.effects)
      if (allEffects.length === 0) break
      const { appOf, nodes } = yield* started(startId, allEffects, apps)
      const next: Array<Link> = []
      for (const { effects: own, link } of effects) {
        yield* Effect.yieldNow
        for (const node of nodes) {
          if (node.automation_id !== startId && visitedIds.has(node.automation_id)) continue
          for (const effect of own) {
            const action_id = link?.action_id ?? effect.action_id
            const isBack = node.automation_id === startId
            if ((isBack && cycles.has(action_id)) || !reaches(effect, node, appOf)) continue
            const filtered = (link?.filtered ?? false) || node.filtered
            const names = isBack ? (link?.names ?? []) : [...(link?.names ?? []), node.name]
            const nextLink = { node, action_id, names, filtered }
            if (isBack) cycles.set(action_id, nextLink)
            else {
              visitedIds.add(node.automation_id)
              next.push(nextLink)
              break
            }
          }
        }
      }
      frontier = next.map((link) => ({ from: link.node, link }))
    }
    return [...cycles.values()].map(warningOf)
  })
}

const warningOf = ({ action_id, filtered, names }: Link): Warning => {
  const through = names.length === 0 ? "" : ` through ${names.map((name) => JSON.stringify(cut(name))).join(", ")}`
  const unless = filtered ? ", unless a filter on the way stops it" : ""
  const message = `This step may start the automation again${through}${unless}; such a chain ends after ${DEPTH} runs.`
  return { code: "chain_may_cycle", message, block_id: action_id, action_id }
}
const cut = (name: string) => (name.length > 80 ? `${name.slice(0, 80).toWellFormed()}…` : name)
