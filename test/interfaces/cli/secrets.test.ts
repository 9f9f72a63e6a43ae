// developer-api.md 7.13, decisions P1, P11: secrets over the operator's command line. A value never stands in the arguments.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { secretValue } from "../../../src/domain/secrets/Secret.ts"
import { make } from "../../../src/platform/sealing/Secrets.ts"
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
      const orgFlags = ["--org", String(org_id), "--json"]
      const set = (name: string, ...args: ReadonlyArray<string>) =>
        fed(databaseUrl, "from standard input", "secret", "set", name, ...args)
      const allowedOf = ({ err, out }: { readonly err: string; readonly out: string }) => {
        assert.notStrictEqual(out, "", err)
        return JSON.parse(out).allowed
      }
      assert.deepStrictEqual(allowedOf(yield* set("a", ...orgFlags)), { workspace_ids: [] })
      const ownWorkspace = { workspace_ids: [workspace_id] }
      assert.deepStrictEqual(allowedOf(yield* set("b", ...orgFlags, "--allow", String(workspace_id))), ownWorkspace)
      const allow = (...args: ReadonlyArray<string>) => cli(databaseUrl, "secret", "allow", ...args, ...orgFlags)
      assert.strictEqual(allowedOf(yield* allow("a", "all")), "all")
      assert.deepStrictEqual(allowedOf(yield* allow("a", String(workspace_id))), ownWorkspace)
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
      const workspaceFlags = ["--workspace", String(workspace_id), "--json"]
      const createResult = yield* fed(
        databaseUrl,
        "from standard input\n",
        "secret",
        "set",
        "stripe_key",
        ...workspaceFlags
      )
      const secret = JSON.parse(createResult.out)
      assert.deepStrictEqual(
        [secret.name, secret.org_id, secret.workspace_id, secret.app_id, secret.created_by],
        ["stripe_key", org_id, workspace_id, null, null]
      )
      assert.strictEqual(yield* Effect.provide(valueOf(secret.secret_id), pool), "from standard input")

      const folder = mkdtempSync(join(tmpdir(), "secret-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = join(folder, "value")
      writeFileSync(file, "two lines\nof a file\n")
      const replaced = yield* cli(databaseUrl, "secret", "set", "stripe_key", ...workspaceFlags, "--file", file)
      assert.strictEqual(JSON.parse(replaced.out).secret_id, secret.secret_id, replaced.err)
      assert.strictEqual(yield* Effect.provide(valueOf(secret.secret_id), pool), "two lines\nof a file")

      for (const [input, args, why] of [
        ["from standard input", ["set", "stripe_key"], /--org, --workspace and --app/],
        ["short", ["set", "stripe_key", ...workspaceFlags], /value: /],
        ["", ["set", "stripe_key", ...workspaceFlags, "--file", join(folder, "none")], /The value cannot be read/],
        ["", ["remove", "stripe_key", "--app", "999"], /No app with id 999/]
      ] as const) {
        const refusal = yield* fed(databaseUrl, input, "secret", ...args)
        assert.deepStrictEqual([refusal.code, why.test(refusal.err)], [1, true], refusal.err)
      }
      const listResult = yield* cli(databaseUrl, "secret", "list", ...workspaceFlags)
      assert.deepStrictEqual(
        JSON.parse(listResult.out).map(({ name }: { name: string }) => name),
        ["stripe_key"]
      )
      const removeResult = yield* cli(databaseUrl, "secret", "remove", "stripe_key", ...workspaceFlags)
      assert.strictEqual(JSON.parse(removeResult.out).secret_id, secret.secret_id, removeResult.err)
      for (const { err, out } of [createResult, replaced, listResult, removeResult]) {
        assert.notInclude(out + err, "standard input")
        assert.notInclude(out + err, "two lines")
      }
    })
  )
})
