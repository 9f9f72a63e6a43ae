// decisions P1, P11: the operator's commands for the key that the launcher keeps, from a new one to the end of the old one.
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { newKey } from "../../../src/platform/config/KeyRing.ts"
import { freshDatabaseUrl } from "../../support/database.ts"
import { plainEnvironment } from "../../support/environment.ts"
import { ENDS_MILLIS } from "../../support/eventually.ts"
import { program } from "../../support/programs.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

describe("npm run cli -- key", () => {
  it.live("new, rotate and retire change the kept ring; a ring of one's own stays the operator's", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const dir = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-keys-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
      )
      const file = join(dir, "secret-key")
      const kept = () => readFileSync(file, "utf8").trim()
      const run = (key: string, ...args: ReadonlyArray<string>) =>
        Effect.callback<{ code: number; out: string; err: string }>((resume) => {
          const env = { ...plainEnvironment(), DATABASE_URL: databaseUrl, DATA_DIR: dir, SECRET_KEY: key }
          execFile(
            process.execPath,
            [program("cli"), "key", ...args],
            { cwd: root, env, timeout: ENDS_MILLIS },
            (error, out, err) =>
              resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? 1), out, err }))
          )
        })
      const answer = (key: string, ...args: ReadonlyArray<string>) =>
        Effect.map(run(key, ...args, "--json"), ({ code, err, out }) => {
          assert.strictEqual(code, 0, err)
          return JSON.parse(out)
        })
      const firstKey = newKey()
      writeFileSync(file, `${firstKey}\n`, { mode: 0o600 })
      const [only] = yield* answer(firstKey, "list")
      assert.deepInclude(only, { place_in_ring: 1, values: 0, where: {} })

      const added = yield* answer(firstKey, "new")
      assert.strictEqual(added.kept_in, file)
      const [second, ...others] = kept().split(",")
      assert.deepStrictEqual(others, [firstKey])
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.notInclude(JSON.stringify(added), second!)

      const ring = kept()
      yield* answer(ring, "rotate")
      const keyList = yield* run(ring, "list")
      assert.match(keyList.out, new RegExp(`${added.key} +1 +true +0`))
      for (const key of [firstKey, second!]) assert.notInclude(keyList.out, key.slice(0, 10))

      const newest = yield* run(ring, "retire", added.key)
      assert.deepStrictEqual([newest.code, newest.out], [1, ""])
      assert.include(newest.err, `${added.key} is the newest key of the ring`)
      const unknown = yield* run(ring, "retire", "nobody")
      assert.include(unknown.err, "There is no key nobody")
      yield* answer(ring, "retire", only.key)
      assert.strictEqual(kept(), second)

      const lacking = yield* run(firstKey, "rotate")
      assert.include(lacking.err, `lacks the key ${added.key}`)

      const ownKey = newKey()
      const printed = yield* answer(`${second},${ownKey}`, "new")
      assert.strictEqual(kept().split(",").length, 2, "the newest key is the kept one")
      const elsewhere = yield* answer(ownKey, "new")
      assert.match(elsewhere.secret_key, /^[A-Za-z0-9+/]{43}=$/)
      assert.isUndefined(printed.secret_key)
    }).pipe(Effect.scoped)
  )
})
