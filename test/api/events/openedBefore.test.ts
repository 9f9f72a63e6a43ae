// docs/decisions.md, "Events": a listener waits briefly for transactions that were open when it came.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayerOver } from "../../support/app.ts"
import { layerDatabase } from "../../support/database.ts"
import { eventsAt } from "../../support/eventStream.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

const impatient = appLayerOver(layerDatabase, {}, { listenerMillis: 500, indexMillis: 10_000 })

layer(impatient, { excludeTestServices: true })("GET /v1/events beside open transactions", (it) => {
  it.effect(
    "what was open for long when somebody came is told as a loss, and what is heard with its end is told behind it",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { owner, workspaceId } = yield* seedWorkspace
        const { app_id: appId } = yield* createApp(owner, workspaceId, [field("single_text", "Title")])
        const stream = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE apps SET name = name WHERE app_id = ${appId}`
            const openedStream = yield* eventsAt(owner.key)
            yield* sql`INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, payload, created_on)
            VALUES ('record.update', ${owner.orgId}, ${appId}, 7, true, true, false, 0, '{"revision": 99}', now())`
            return openedStream
          })
        )
        yield* stream.until("the reset", (all) => all.some(({ event }) => event === "reset"))
        yield* stream.until("what came with it", (all) => all.some(({ data }) => data?.revision === 99))
        assert.isBelow(
          stream.events.findIndex(({ event }) => event === "reset"),
          stream.events.findIndex(({ event }) => event === "record")
        )
      }).pipe(Effect.scoped)
  )
})
