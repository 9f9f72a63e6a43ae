// decisions P3: passwords of SMTP accounts and secrets of providers over the operator's command line come from files, never from arguments.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { smtpPassword } from "../../../src/platform/mail/smtpRows.ts"
import { make } from "../../../src/platform/sealing/Secrets.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { typed as cli, fed } from "../../support/processes.ts"

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ org_id: number }>`
    INSERT INTO organizations (name, slug, created_on) VALUES ('Works', 'works', now()) RETURNING org_id`
  return row!.org_id
})

describe("secrets of mail and providers", () => {
  it.live("come from a file or standard input; no argument takes one", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const pool = layerOn(databaseUrl, 1)
      const orgId = yield* Effect.provide(seed, pool)
      const folder = mkdtempSync(join(tmpdir(), "millrace-mail-secrets-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = join(folder, "password")
      writeFileSync(file, "of a file\n")
      const smtp = ["smtp", "create", String(orgId), "--host", "mail.example.com", "--from-address", "a@example.com"]
      const createResult = yield* cli(databaseUrl, ...smtp, "--name", "m", "--password-file", file, "--json")
      assert.strictEqual(createResult.code, 0, createResult.err)
      const accountRows = yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ password: Uint8Array }>`SELECT password FROM smtp_accounts`),
        pool
      )
      const context = smtpPassword.contextOf({ org_id: orgId, host: "mail.example.com" })
      assert.strictEqual(yield* make(Buffer.alloc(32, 7)).decrypt(accountRows[0]!.password, context), "of a file")

      const provider = [
        ...["provider", "create", String(orgId), "--name", "p", "--grant", "refresh_token"],
        ...["--token-url", "https://id.example.com/token", "--client-id", "c"]
      ]
      const twice = yield* fed(databaseUrl, "x", ...provider, "--client-secret-file", "-", "--refresh-token-file", "-")
      assert.deepStrictEqual([twice.code, /Only one value/.test(twice.err)], [1, true], twice.err)
      const added = yield* fed(
        databaseUrl,
        "of standard input\n",
        ...[...provider, "--client-secret-file", file, "--refresh-token-file", "-", "--json"]
      )
      assert.strictEqual(added.code, 0, added.err)
      assert.isDefined(JSON.parse(added.out).authentication_provider_id)

      writeFileSync(file, "\n")
      for (const [args, why] of [
        [[...smtp, "--name", "n", "--password-file", file], /The value is empty/],
        [[...smtp, "--name", "n", "--password-file", join(folder, "none")], /cannot be read/],
        [[...smtp, "--name", "n", "--password", "typed"], /password/]
      ] as const) {
        const refusal = yield* cli(databaseUrl, ...args)
        assert.notStrictEqual(refusal.code, 0)
        assert.match(refusal.err + refusal.out, why)
        assert.notInclude(refusal.err + refusal.out, "typed")
      }
      for (const command of ["smtp", "provider"]) {
        const { out } = yield* cli(databaseUrl, command, "create", "--help")
        assert.notMatch(out, /--(password|client-secret|refresh-token)(?!-file)/)
      }
    })
  )
})
