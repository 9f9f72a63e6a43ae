// Tasks in plain words about records, by a host's client against a running service (docs/mcp-tasks.md).
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer } from "../../../support/app.ts"
import { servedAtHome } from "../../../support/served.ts"
import { carryOut } from "./carryOut.ts"
import { seedLibrary } from "./library.ts"
import { recordTasks } from "./recordTasks.ts"

layer(servedAtHome(appLayer), { excludeTestServices: true })("tasks about records", (it) => {
  it.effect("are carried out with few calls, from ids that answers hold", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedLibrary
      yield* carryOut(owner.key, recordTasks)
    })
  )
})
