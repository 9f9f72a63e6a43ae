// docs/architecture/database.md, "How rows enter": definitions of several apps are read in one statement, and one that this release cannot read fails its own app alone.
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Definitions } from "../../../src/domain/records/model/Definitions.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { appLayer } from "../../support/app.ts"
import { asOwner } from "../../support/database.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("definitions read together", (it) => {
  it.effect("a field type that this release does not know fails its app, and no other", () =>
    Effect.gen(function* () {
      const definitions = yield* Definitions
      const { owner, workspaceId } = yield* seedWorkspace
      const apps = yield* Effect.forEach(["One", "Two", "Three"], (name) =>
        createApp(owner, workspaceId, [field("single_text", "Name")], name)
      )
      const newerApp = apps[1].app_id
      yield* asOwner(
        Sql.use((sql) => sql`UPDATE fields SET field_type = 'of_a_newer_release' WHERE app_id = ${newerApp}`)
      )
      const exits = yield* Effect.forEach(apps, ({ app_id }) => Effect.exit(definitions.load(app_id)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
    })
  )
})
