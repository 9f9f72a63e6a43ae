// decisions P15: a name in .env that is no setting stops the start, with the nearest name; and a data directory that nobody can make fails at once.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { makeDataDir } from "../../bin/parts/environment.js"
import { namesProblems, SETTINGS } from "../../bin/parts/settingNames.js"
import { root } from "./launcher.ts"

const example = readFileSync(join(root, ".env.example"), "utf8")

describe("names of settings (P15)", () => {
  it("are those of .env.example", () => {
    const named = [...example.matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!)
    assert.deepStrictEqual(SETTINGS.toSorted(), named.toSorted())
  })

  it("all of .env.example, from files too, and what the machine and Temporal's headers are called", () => {
    const uncommentedExample = example.replaceAll(/^#([A-Z][A-Z0-9_]+=)/gm, "$1")
    assert.deepStrictEqual(namesProblems(uncommentedExample), [])
    const more =
      "SECRET_KEY_FILE=/run/secrets/key\nexport TZ=UTC\nTEMPORAL_GRPC_META_X_TEAM=a\n\n# a comment\nHTTPS_PROXY='http://p:1'"
    assert.deepStrictEqual(namesProblems(more), [])
  })

  it("others are named with their line and the nearest, and no value is shown", () => {
    const text =
      "PORT=8080\nWEBHOOK_PER_MINUT=10\nPROT=80\nport=81\nPER_MINUTE_WEBHOOK=1\nDATABSE_URL_FILE=/a\nSMTP = \nFOO_BAR=hunter2\nPORT 9000\n"
    assert.deepStrictEqual(namesProblems(text), [
      ".env, line 2: WEBHOOK_PER_MINUT is no setting; did you mean WEBHOOK_PER_MINUTE?",
      ".env, line 3: PROT is no setting; did you mean PORT?",
      ".env, line 4: port is no setting; did you mean PORT?",
      ".env, line 5: PER_MINUTE_WEBHOOK is no setting; did you mean WEBHOOK_PER_MINUTE?",
      ".env, line 6: DATABSE_URL_FILE is no setting; did you mean DATABASE_URL_FILE?",
      ".env, line 7: SMTP is no setting; .env.example has all",
      ".env, line 8: FOO_BAR is no setting; .env.example has all",
      ".env, line 9: expected NAME=value, or # before a comment"
    ])
  })
})

describe("a data directory that cannot be made", () => {
  it.skipIf(process.platform !== "linux")("fails at once, by its setting", () => {
    assert.throws(
      () => makeDataDir("/proc/nowhere/data"),
      /^DATA_DIR: \/proc\/nowhere\/data cannot be made or written \(E\w+\)/
    )
    assert.throws(() => makeDataDir("/dev/null/data"), /^DATA_DIR: .* cannot be made or written \(E\w+\)/)
  })
})
