// Every load there is, and all of them at once.
import type { Load } from "../Load.ts"
import { combine } from "./combine.ts"
import { records } from "./records.ts"
import { shapes } from "./shapes.ts"
import { stamps } from "./stamps.ts"
import { webhooks } from "./webhooks.ts"

const automations = combine("automations", `${stamps.about}; ${shapes.about}`, [stamps, shapes])

export const single: ReadonlyArray<Load> = [records, webhooks, automations]

export const all: Load = combine("all", "records, webhooks and automations at once", single)
