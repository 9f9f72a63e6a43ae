// The meta endpoints of automations: one client, one request after another, beside the same bytes from Fastify + pg.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { makeTenant } from "../../demo/operator.ts"
import { makeMachine, operatorOf } from "../support/machine.ts"
import { sequential, startPeer } from "../support/processes.ts"
import { BenchFailed, type Row } from "../support/Row.ts"

const paths = {
  action: "/v1/automation/meta/action",
  trigger: "/v1/automation/meta/trigger",
  filter: "/v1/automation/meta/filter?field_type=number"
}

const failed = (error: unknown) => new BenchFailed({ message: String(error) })

const prepare: Row["prepare"] = Effect.gen(function* () {
  const machine = yield* makeMachine({ name: "bench", temporal: false })
  const { tokens } = yield* makeTenant("Bench", 1, 1000).pipe(
    Effect.provide(operatorOf(machine)),
    Effect.mapError(failed)
  )
  const headers = { authorization: `Bearer ${tokens[0]}` }
  const pages: Record<string, string> = {}
  for (const path of Object.values(paths)) {
    pages[path.split("?")[0]!] = yield* Effect.tryPromise({
      try: async () => (await fetch(machine.baseUrl + path, { headers })).text(),
      catch: failed
    })
  }
  const file = join(machine.dir, "pages.json")
  writeFileSync(file, JSON.stringify(pages))
  const peer = yield* startPeer(machine, "static.js", { PAGES: file })
  const requests = Object.entries(paths).map(([name, path]) => ({ name, path, headers }))
  return { ours: sequential(machine, machine.baseUrl, requests), peer: sequential(machine, peer.url, requests) }
})

export const metaRows: ReadonlyArray<Row> = [
  {
    name: "meta",
    work: "GET /v1/automation/meta/action, trigger and filter, one client; the slowest of the three counts",
    peer: "Fastify + pg, the same bytes",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 5,
    absolute: true,
    prepare
  }
]
