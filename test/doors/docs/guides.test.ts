// The guides of /docs: every line for a shell is typed as it stands, in the order of the guides, with a service to try it on.
import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { seedOrganization } from "../../support/app.ts"
import { Served, servedLayer } from "../../support/served.ts"

const folder = new URL("../../../src/doors/docs/guides/", import.meta.url)

const shellOf = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code]) => code!)

layer(servedLayer(), { excludeTestServices: true })("the guides of /docs", (it) => {
  it.effect("their shell lines do what they say, one guide after another", () =>
    Effect.gen(function* () {
      const { origin } = yield* Served
      const { owner } = yield* seedOrganization()
      const work = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-guides-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      yield* Effect.promise(() =>
        fetch(`${origin}/v1/workspace`, {
          method: "POST",
          headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "Main", type: "closed" })
        })
      )
      const texts = readdirSync(folder)
        .toSorted()
        .map((name) => readFileSync(new URL(name, folder), "utf8"))
      const lines = texts.flatMap(shellOf)
      assert.isAtLeast(lines.length, 10)
      const script = [
        "set -e -o pipefail",
        "trap 'cat hook.json automation.json' ERR",
        ...lines,
        `echo "done: $app $record $client $hook $automation"`
      ].join("\n")
      const env = {
        PATH: process.env["PATH"],
        BASE: origin,
        TOKEN: owner.key,
        RECEIVER: "https://receiver.example.com/"
      }
      // Not to its end at once: the service that it calls is in this process.
      const child = yield* Effect.callback<{ status: number; said: string }>((resume) => {
        execFile("bash", ["--norc", "-c", script], { cwd: work, env }, (error, out, err) =>
          resume(Effect.succeed({ status: error === null ? 0 : 1, said: out + err }))
        )
      })
      assert.strictEqual(child.status, 0, child.said)
      assert.match(child.said, /done: \d+ \d+ \S+ \d+ \d+/)
      assert.include(child.said, `"pages"`)
    }).pipe(Effect.scoped)
  )
})
