// Carries tasks out as a host does: the official client, one connection, tools by name. It is strict about what a model has to
// live with: few calls, short answers, refusals that say what to do.
import { assert } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect } from "effect"
import { Served } from "../../../support/served.ts"
import type { PlainTask } from "./PlainTask.ts"

const mostCalls = 6
const longestAnswer = 20_000

/** A connection of this person's to the running service. */
const connected = Effect.fnUntraced(function* (key: string) {
  const { origin } = yield* Served
  const client = new Client({ name: "host", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } }
  })
  return yield* Effect.acquireRelease(
    Effect.promise(async () => {
      await client.connect(transport)
      // The client holds what it is answered against the schemas that are listed.
      await client.listTools()
      return client
    }),
    (open) => Effect.promise(() => open.close())
  )
})

const carryOutWith = (client: Client, { shows, steps, words }: PlainTask) =>
  Effect.promise(async () => {
    assert.isAtMost(steps.length, mostCalls, words)
    const results: Array<any> = []
    for (const { args, refused, tool } of steps) {
      const label = `${words} › ${tool}`
      const answer = await client.callTool({ name: tool, arguments: args(results) })
      const text = (answer.content[0] as { text: string }).text
      assert.strictEqual(answer.isError ?? false, refused !== undefined, `${label}: ${text}`)
      if (refused !== undefined) {
        assert.match(text, refused, label)
        assert.match(text, /\nWhat to do: ./, label)
      }
      assert.isBelow(text.length, longestAnswer, label)
      results.push(refused === undefined ? answer.structuredContent : text)
    }
    shows(results)
  })

/** Each task in turn, over one connection: a later one finds what an earlier one has done. */
export const carryOut = Effect.fnUntraced(function* (key: string, tasks: ReadonlyArray<PlainTask>) {
  const client = yield* connected(key)
  for (const plannedTask of tasks) yield* carryOutWith(client, plannedTask)
}, Effect.scoped)
