// Writes by MCP: an assistant creates a record, with an idempotency_key of its own, and changes it. Nothing answered is lost or doubled.
import { Clock, Effect } from "effect"
import { GaveUp, listed, Refused } from "../../../demo/client.ts"
import { type Load, some } from "../Load.ts"
import { makeApp, valueOf } from "./shared.ts"

const PAUSE_MILLIS = 500
const PATIENCE_MILLIS = 180_000

/** A failed tool is no failed request: what its text begins with tells whether to call again (docs/mcp.md). */
const statusIn = (text: string) =>
  text.startsWith("service_unavailable:") ? 503 : text.includes("is still running") ? 409 : undefined

export const assistant: Load = {
  name: "assistant",
  about: "records created and changed by MCP; none lost, none doubled",
  begin: Effect.fnUntraced(function* (context) {
    const { client } = context
    const mcp = context.mcp!
    const { appId } = yield* makeApp(context, "By an assistant")
    const nameById = new Map<number, string>()
    const tool = Effect.fnUntraced(function* (name: string, args: object) {
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
      const until = (yield* Clock.currentTimeMillis) + PATIENCE_MILLIS
      for (;;) {
        const { error, result } = yield* mcp.get("POST", "/mcp", { body })
        if (error === undefined && result?.isError !== true) return result.structuredContent
        const why = String(result?.content?.[0]?.text ?? JSON.stringify(error))
        const status = statusIn(why)
        if (status === undefined) return yield* new Refused({ status: 200, message: `${name}: ${why}` })
        context.observe?.({ method: "POST", path: `/mcp (${name})`, why, status, told: true })
        if ((yield* Clock.currentTimeMillis) > until) return yield* new GaveUp({ message: `${name}: ${why}` })
        yield* Effect.sleep(PAUSE_MILLIS)
      }
    })
    const step = Effect.fnUntraced(function* (worker: number, n: number) {
      const name = `${worker}-${n}`
      const fields = { name, count: 0 }
      const key = `assistant-${appId}-${name}`
      const { record_id } = yield* tool("create_record", { app_id: appId, fields, idempotency_key: key })
      yield* tool("update_record", { record_id, fields: { count: 1 } })
      nameById.set(record_id, name)
    })
    const differences = Effect.gen(function* () {
      const records = yield* listed(client, appId)
      const listedIds = new Set(records.map((record) => record.record_id as number))
      const odd = records.filter(
        (record) =>
          record.revision !== 1 ||
          valueOf(record, "count") !== 1 ||
          valueOf(record, "name") !== nameById.get(record.record_id)
      )
      return [
        ...some(
          [...nameById.keys()].filter((id) => !listedIds.has(id)),
          "record(s) of an assistant lost"
        ),
        ...some(
          odd.map((record) => `${record.record_id} at revision ${record.revision}`),
          "record(s) of an assistant doubled or not as written"
        )
      ]
    })
    return {
      step,
      settled: Effect.sync(() => ({ done: nameById.size, total: nameById.size })),
      differences,
      counts: () => ({ records: nameById.size })
    }
  })
}
