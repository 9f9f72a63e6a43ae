// Warns about runs that may take a large share of their actions (developer-api.md 7.11 rule 5, 7.13 `warnings`). The estimate counts the
// records that the collected apps have now; items that only a run knows count once. Pure.
import { actionSpec } from "../actions/registry.ts"
import type { Action, Definition } from "../model/Definition.ts"
import type { Reference } from "../schema/dynamicValues.ts"
import type { ValidationModel, Warning } from "../schema/ValidationModel.ts"
import { rowsOf } from "../schema/walk.ts"
import { liveActions } from "./warningPlaces.ts"

/** A collection and a loop have at most so many items (7.6, 7.7 rule 4). */
export const ITEMS_AT_MOST = 1_000
/** Share of a run's actions from which it is told. */
const SHARE = 0.5

/** Actions by the records of now, and at most. */
interface Cost {
  readonly now: number
  readonly most: number
}
const plus = (one: Cost, other: Cost): Cost => ({ now: one.now + other.now, most: one.most + other.most })
/** Beyond it a number says no more. */
const COUNTED_AT_MOST = 1_000_000_000
const times = (one: Cost, other: Cost): Cost => ({
  now: Math.min(one.now * other.now, COUNTED_AT_MOST),
  most: Math.min(one.most * other.most, COUNTED_AT_MOST)
})
const larger = (one: Cost, other: Cost): Cost => ({
  now: Math.max(one.now, other.now),
  most: Math.max(one.most, other.most)
})
const nothing: Cost = { now: 0, most: 0 }
const singleCost: Cost = { now: 1, most: 1 }
const unknown: Cost = { now: 1, most: ITEMS_AT_MOST }

interface Walk {
  readonly model: ValidationModel
  /** Number of live records of an app, at most `ITEMS_AT_MOST`. */
  readonly records: ReadonlyMap<number, number>
  /** Size of each app's present collection. */
  readonly sizes: Map<number, Cost>
  /** Costs of the outermost loops and of the steps that repeat, to name the largest. */
  readonly parts: Array<{ readonly action: Action; readonly cost: Cost }>
}

/** Ids of the apps whose records a definition collects as a whole. */
export const collectedApps = ({ actions }: Definition): ReadonlySet<number> =>
  new Set(
    [...liveActions(actions)].flatMap(({ config, type }) =>
      isWhole(type) && typeof config["app_id"] === "number" ? [config["app_id"]] : []
    )
  )

const isWhole = (type: string) => type === "collect_app_records" || type === "collect_app_view_records"

/** Acts once for each collected record. */
const repeats = (type: string) => type.startsWith("collected_records_") && actionSpec(type).produces === undefined

const sizeOf = (reference: Reference | undefined, { model, sizes }: Walk): Cost => {
  if (reference === undefined) return unknown
  if (reference.source === "action" && reference.action_type === "created_record") return singleCost
  const isCollected =
    (reference.source === "action" && reference.action_type === "record_collection") ||
    ((reference.source === "field" || reference.source === "meta") && reference.collection === true)
  if (!isCollected) return unknown
  const appId = reference.source === "field" ? model.fields.get(reference.field_id)?.app_id : reference.app_id
  return (appId === undefined ? [...sizes.values()].at(-1) : sizes.get(appId)) ?? unknown
}

const collect = ({ config, type }: Action, { records, sizes }: Walk) => {
  if (actionSpec(type).produces !== "record_collection") return
  const appId = config["app_id"] as number | undefined
  if (!isWhole(type)) sizes.clear()
  if (appId === undefined) return
  const limit = config["limit_enabled"] === true ? Math.min(config["limit"] as number, ITEMS_AT_MOST) : ITEMS_AT_MOST
  sizes.delete(appId)
  sizes.set(appId, isWhole(type) ? { now: Math.min(limit, records.get(appId) ?? 1), most: limit } : unknown)
}

const costOf = (list: ReadonlyArray<Action>, walk: Walk, isInLoop: boolean): Cost => {
  let sum = nothing
  for (const action of list) {
    if (action.deactivate === true) continue
    const { config, type } = action
    collect(action, walk)
    if (type === "for_loop") {
      const size = sizeOf(config["iterable"] as Reference | undefined, walk)
      const cost = times(size, costOf(rowsOf(action)[0]?.actions ?? [], walk, true))
      if (!isInLoop) walk.parts.push({ action, cost })
      sum = plus(sum, cost)
    } else if (type === "conditional") {
      const branches = rowsOf(action).map(({ actions }) => costOf(actions, walk, isInLoop))
      sum = plus(sum, branches.reduce(larger, nothing))
    } else {
      const target = config["record_collection"] as Reference | undefined
      const cost = repeats(type) ? (target === undefined && isInLoop ? singleCost : sizeOf(target, walk)) : singleCost
      if (!isInLoop && repeats(type)) walk.parts.push({ action, cost })
      sum = plus(sum, cost)
    }
  }
  return sum
}

const number = (value: number) => value.toLocaleString("en")

/** @param allowed number of actions that a run may take */
export function* creditWarnings(
  { actions }: Definition,
  model: ValidationModel,
  records: ReadonlyMap<number, number>,
  allowed: number
): Iterable<Warning> {
  const walk: Walk = { model, records, sizes: new Map(), parts: [] }
  const { most, now } = costOf(actions, walk, false)
  if (now < allowed * SHARE) return
  const [largest] = walk.parts.toSorted((one, other) => other.cost.now - one.cost.now)
  const step = largest?.action
  const name = step === undefined ? "" : JSON.stringify(step.custom_name ?? actionSpec(step.type).label)
  const where = largest === undefined ? "" : `, ${number(largest.cost.now)} of them in the step ${name}`
  const more = most > now ? `; with more records ${number(most)}` : ""
  yield {
    code: "credits_high",
    message: `With the records that there are now, a run may take ${number(now)} of its ${number(allowed)} actions${where}${more}. Beyond them it fails: narrow the condition or set a limit, take steps out of the loop, or change the records with one step for all.`,
    block_id: step?.id ?? "actions",
    action_id: step?.id ?? null
  }
}
