// developer-api.md 7.13, decisions P1, P11: secrets over the operator's command line. A value never stands in the arguments.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { secretValue } from "../../../src/domain/secrets/Secret.ts"
import { make } from "../../../src/ground/sealing/Secrets.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { typed as cli, fed } from "../../support/processes.ts"

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ workspace_id: number; org_id: number }>`
    WITH o AS (INSERT INTO organizations (name, slug, created_on) VALUES ('Works', 'works', now()) RETURNING org_id)
    INSERT INTO workspaces (org_id, name, slug, type, created_on)
    SELECT org_id, 'Main', 'main', 'default', now() FROM o RETURNING workspace_id, org_id`
  return row!
})

const valueOf = Effect.fnUntraced(function* (secret_id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ value: Uint8Array }>`SELECT value FROM secrets WHERE secret_id = ${secret_id}`
  return yield* make(Buffer.alloc(32, 7)).decrypt(row!.value, secretValue.contextOf({ secret_id }))
})

describe("npm run cli -- secret", () => {
  it.live("A26: says who may use one of the organization, as it is written and later", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const { org_id, workspace_id } = yield* Effect.provide(seed, layerOn(databaseUrl, 1))
      const at = ["--org", String(org_id), "--json"]
      const set = (name: string, ...args: ReadonlyArray<string>) =>
        fed(databaseUrl, "from standard input", "secret", "set", name, ...args)
      const allowedOf = ({ err, out }: { readonly err: string; readonly out: string }) => {
        assert.notStrictEqual(out, "", err)
        return JSON.parse(out).allowed
      }
      assert.deepStrictEqual(allowedOf(yield* set("a", ...at)), { workspace_ids: [] })
      const here = { workspace_ids: [workspace_id] }
      assert.deepStrictEqual(allowedOf(yield* set("b", ...at, "--allow", String(workspace_id))), here)
      const allow = (...args: ReadonlyArray<string>) => cli(databaseUrl, "secret", "allow", ...args, ...at)
      assert.strictEqual(allowedOf(yield* allow("a", "all")), "all")
      assert.deepStrictEqual(allowedOf(yield* allow("a", String(workspace_id))), here)
      assert.deepStrictEqual(allowedOf(yield* allow("a", "none")), { workspace_ids: [] })
      for (const [refused, why] of [
        [yield* allow("a", "999"), /no workspace 999/],
        [yield* allow("c", "all"), /There is no secret "c"/],
        [yield* allow("a", "1;2"), /ids of workspaces with commas/],
        [yield* set("d", "--workspace", String(workspace_id), "--allow", "all"), /--allow goes with --org/]
      ] as const)
        assert.deepStrictEqual([refused.code, why.test(refused.err)], [1, true], refused.err)
    })
  )

  it.live("writes from standard input, replaces from a file, lists names, removes; says what is wrong", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const pool = layerOn(databaseUrl, 1)
      const { org_id, workspace_id } = yield* Effect.provide(seed, pool)
      const at = ["--workspace", String(workspace_id), "--json"]
      const made = yield* fed(databaseUrl, "from standard input\n", "secret", "set", "stripe_key", ...at)
      const secret = JSON.parse(made.out)
      assert.deepStrictEqual(
        [secret.name, secret.org_id, secret.workspace_id, secret.app_id, secret.created_by],
        ["stripe_key", org_id, workspace_id, null, null]
      )
      assert.strictEqual(yield* Effect.provide(valueOf(secret.secret_id), pool), "from standard input")

      const folder = mkdtempSync(join(tmpdir(), "secret-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = join(folder, "value")
      writeFileSync(file, "two lines\nof a file\n")
      const replaced = yield* cli(databaseUrl, "secret", "set", "stripe_key", ...at, "--file", file)
      assert.strictEqual(JSON.parse(replaced.out).secret_id, secret.secret_id, replaced.err)
      assert.strictEqual(yield* Effect.provide(valueOf(secret.secret_id), pool), "two lines\nof a file")

      for (const [input, args, why] of [
        ["from standard input", ["set", "stripe_key"], /--org, --workspace and --app/],
        ["short", ["set", "stripe_key", ...at], /value: /],
        ["", ["set", "stripe_key", ...at, "--file", join(folder, "none")], /The value cannot be read/],
        ["", ["remove", "stripe_key", "--app", "999"], /No app with id 999/]
      ] as const) {
        const refused = yield* fed(databaseUrl, input, "secret", ...args)
        assert.deepStrictEqual([refused.code, why.test(refused.err)], [1, true], refused.err)
      }
      const listed = yield* cli(databaseUrl, "secret", "list", ...at)
      assert.deepStrictEqual(
        JSON.parse(listed.out).map(({ name }: { name: string }) => name),
        ["stripe_key"]
      )
      const removed = yield* cli(databaseUrl, "secret", "remove", "stripe_key", ...at)
      assert.strictEqual(JSON.parse(removed.out).secret_id, secret.secret_id, removed.err)
      for (const { err, out } of [made, replaced, listed, removed]) {
        assert.notInclude(out + err, "standard input")
        assert.notInclude(out + err, "two lines")
      }
    })
  )
})
