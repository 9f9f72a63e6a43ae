// Plays schedules of each kind. All kinds share a database, and the API by which it is filled at the beginning.
import { Effect } from "effect"
import { appLayerOver } from "../support/app.ts"
import { layerOn } from "../support/database.ts"
import { automationWorld, seedAutomations } from "./automations/automationWorld.ts"
import { notedFaults } from "./automations/observed.ts"
import { HOST, makeDatabase } from "./database.ts"
import { runSchedule } from "./schedule.ts"
import type { Plant } from "./sentBytes.ts"
import { hookWorld, seedHooks } from "./webhooks/hookWorld.ts"

export const makeWorlds = Effect.gen(function* () {
  const database = yield* makeDatabase
  return yield* Effect.gen(function* () {
    const webhooks = yield* hookWorld(database, yield* seedHooks)
    const seeded = yield* seedAutomations
    const automations = yield* automationWorld(database, seeded)
    yield* database.stopAutovacuum
    return {
      webhooks: (seed: number, plant?: Plant) => runSchedule(webhooks, seed, plant),
      automations: (seed: number, plant?: Plant) => runSchedule(automations, seed, plant),
      notedFaults: notedFaults(database.sql, seeded)
    }
  }).pipe(Effect.provide(appLayerOver(layerOn(database.url), { OUTBOUND_ALLOW: HOST })))
})
