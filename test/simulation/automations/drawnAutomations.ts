// What a schedule of automations works on: automations with their triggers, steps and settings, and changes of records.
import { type DrawnWorld, drawTroubles } from "../drawnWorld.ts"
import type { Draws } from "../draws.ts"

/** A step; those inside of a loop or a branch are of one step each. */
export type DrawnStep =
  | { readonly kind: "variable" | "comment" | "create" }
  | { readonly kind: "set"; readonly text: string }
  | { readonly kind: "http"; readonly attempts: number; readonly goesOn: boolean }
  | { readonly kind: "delay"; readonly millis: number }
  | { readonly kind: "loop"; readonly times: number; readonly body: ReadonlyArray<DrawnStep> }
  | {
      readonly kind: "branch"
      readonly matched: ReadonlyArray<DrawnStep>
      readonly otherwise: ReadonlyArray<DrawnStep>
    }
  | { readonly kind: "call"; readonly isAwaited: boolean }

export type DrawnTrigger = "record_created" | "record_updated" | "record_deleted" | "automation_called"

interface DrawnConcurrency {
  readonly at_most: number
  readonly per_record: boolean
  readonly when_full: "wait" | "skip" | "replace"
}

export interface DrawnAutomation {
  readonly trigger: DrawnTrigger
  /** The name that a record must have. */
  readonly filter: string | null
  readonly concurrency: DrawnConcurrency | null
  readonly debounce: number | null
  readonly steps: ReadonlyArray<DrawnStep>
}

export type DrawnChange =
  | { readonly type: "create"; readonly name: string }
  | { readonly type: "update"; readonly record: number; readonly name: string }
  | { readonly type: "delete"; readonly record: number }

export interface DrawnAutomations extends DrawnWorld<DrawnChange> {
  /** The last two are the one that others call, and the one of the app in which steps create records. */
  readonly automations: ReadonlyArray<DrawnAutomation>
}

const NAMES = ["Ada", "Bob", "Cy"]

/** Steps that lead to other runs: none leads back to where it stands. */
const FURTHER = { calls: ["create", "call", "call"], creates: ["create"], ends: [] } as const
type Further = keyof typeof FURTHER

const drawStep = (draws: Draws, further: Further, isInside = false): DrawnStep => {
  const kinds = ["variable", "comment", "comment", "set", "http", "http", "delay", ...FURTHER[further]] as const
  const kind = draws.pick<DrawnStep["kind"]>(isInside ? kinds : [...kinds, "loop", "branch"])
  const inside = () => [drawStep(draws, further, true)]
  switch (kind) {
    case "set":
      return { kind, text: draws.pick(["x", "y"]) }
    case "http":
      return { kind, attempts: draws.pick([1, 1, 3]), goesOn: draws.chance(0.5) }
    case "delay":
      return { kind, millis: 1_000 * (1 + draws.below(60)) }
    case "loop":
      return { kind, times: 1 + draws.below(3), body: inside() }
    case "branch":
      return { kind, matched: inside(), otherwise: draws.chance(0.5) ? inside() : [] }
    case "call":
      return { kind, isAwaited: draws.chance(0.6) }
    default:
      return { kind }
  }
}

const drawConcurrency = (draws: Draws): DrawnConcurrency => ({
  at_most: 1 + draws.below(2),
  per_record: draws.chance(0.4),
  when_full: draws.pick(["wait", "wait", "skip", "replace"])
})

const drawAutomation = (draws: Draws, trigger: DrawnTrigger, further: Further): DrawnAutomation => {
  const isCalled = trigger === "automation_called"
  const count = 1 + draws.below(isCalled ? 2 : 3)
  const debounce = !isCalled && draws.chance(0.15) ? 1_000 * (1 + draws.below(20)) : null
  return {
    trigger,
    filter: debounce === null && !isCalled && draws.chance(0.25) ? draws.pick(NAMES) : null,
    concurrency: draws.chance(0.35) ? drawConcurrency(draws) : null,
    debounce,
    steps: Array.from({ length: count }, () => drawStep(draws, further))
  }
}

/** @param ofApp automations of the app whose records change, without the one that they call @param records of the app at the beginning */
export const drawAutomations = (draws: Draws, ofApp: number, records: number): DrawnAutomations => {
  const triggers = ["record_created", "record_updated", "record_updated", "record_deleted"] as const
  const automations = [
    ...Array.from({ length: ofApp }, () => drawAutomation(draws, draws.pick(triggers), "calls")),
    drawAutomation(draws, "automation_called", "creates"),
    drawAutomation(draws, "record_created", "ends")
  ]
  const change = (): DrawnChange => {
    const type = draws.pick(["create", "create", "update", "update", "update", "update", "delete"] as const)
    if (type === "create") return { type, name: draws.pick(NAMES) }
    const record = draws.below(records)
    return type === "update" ? { type, record, name: draws.pick(NAMES) } : { type, record }
  }
  const changes = Array.from({ length: 2 + draws.below(4) }, change)
  return { automations, changes, ...drawTroubles(draws) }
}
