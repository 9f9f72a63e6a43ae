// Every load there is, all of them at once, and what a cluster is given.
import type { Load } from "../Load.ts"
import { assistant } from "./assistant.ts"
import { combine } from "./combine.ts"
import { hookPaths } from "./hookPaths.ts"
import { outside } from "./outside.ts"
import { records } from "./records.ts"
import { shapes } from "./shapes.ts"
import { stamps } from "./stamps.ts"
import { turns } from "./turns.ts"
import { waits } from "./waits.ts"
import { webhooks } from "./webhooks.ts"

const automations = combine("automations", `${stamps.about}; ${shapes.about}`, [stamps, shapes])

export const single: ReadonlyArray<Load> = [records, webhooks, hookPaths, automations]

/** Loads that the release before does not support yet (releases.ts). */
const newLoads: ReadonlyArray<Load> = [hookPaths]

export const isFresh = (load: Load) => newLoads.includes(load)

/** Combines the loads for releases that change places. */
export const lasting: Load = combine(
  "all",
  "records, webhooks and automations at once, long waits, schedules, replays",
  [...single.filter((load) => !isFresh(load)), waits, turns]
)

export const all: Load = combine("all", "records, webhooks, changed hooks and automations at once", single)

/** Wants the MCP server and something to call (Load.ts). */
export const mixed: Load = combine("mixed", "records by HTTP and MCP, hooks, automations of all shapes at once", [
  records,
  assistant,
  webhooks,
  stamps,
  outside,
  shapes
])
