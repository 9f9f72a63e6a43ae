// decisions P1: what somebody sees who calls a command wrongly.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabaseUrl } from "../../support/database.ts"
import { typed as cli } from "../../support/processes.ts"

describe("npm run cli", () => {
  it.live("says last what is wrong with a command, and lists what an argument may be", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
        [["nope"], /Unknown subcommand "nope"[^\n]*\n$/],
        [["organizaton"], /Did you mean this\?\s+organization\n$/],
        [["audit", "read", "--limti", "5"], /Did you mean this\?\s+--limit\n$/],
        [["organization", "create"], /Missing required argument: name\n$/],
        [["housekeeping", "nope"], /Invalid value for argument <job>: "nope"[^\n]*\n$/],
        [["audit", "read", "--limit", "-5"], /^millrace: --limit: expected 1 to 1000\.\n$/],
        [["audit", "read", "--limit", "1001"], /^millrace: --limit: expected 1 to 1000\.\n$/]
      ]
      for (const [args, said] of wrong) {
        const { code, err } = yield* cli(databaseUrl, ...args)
        assert.strictEqual(code, 1, args.join(" "))
        assert.match(err, said, args.join(" "))
      }
      const helps: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
        [
          ["organization", "limit"],
          /limit choice +webhook_per_minute, inbound_per_minute, credits_per_hour, mail_per_day, storage_megabytes/
        ],
        [["housekeeping"], /job choice +oauth, webhooks, records,/],
        [["client", "register"], /kind choice +public, confidential/]
      ]
      for (const [args, listed] of helps) {
        const { code, err, out } = yield* cli(databaseUrl, ...args, "--help")
        assert.strictEqual(code, 0, err)
        assert.match(out, listed, args.join(" "))
      }
    })
  )
})
