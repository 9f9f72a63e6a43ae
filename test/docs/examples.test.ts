// docs/examples: each verifies what this service has signed, and nothing else (decisions W7).
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { newSecret, signedHeaders, signingKey } from "../../src/domain/webhooks/signature.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"

const example = (name: string) => fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url))
const body = JSON.stringify({ hook_id: 17, record_id: 907, revision_id: 3, type: "record.update" })
const MINUTES = 60_000

const canRun = (command: string, ...args: ReadonlyArray<string>) =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0

/** What an example says of a delivery whose body may have been changed on the way. */
const run = (command: ReadonlyArray<string>, sent = body, at = Date.now()) => {
  const [current, former] = [newSecret(), newSecret()]
  const headers = signedHeaders("msg_1_2", new Date(at), body, [signingKey(current), signingKey(former)])
  const [program, ...args] = command as [string, ...ReadonlyArray<string>]
  const { status, stdout } = spawnSync(program, args, {
    input: sent,
    encoding: "utf8",
    timeout: ENDS_MILLIS,
    env: {
      ...process.env,
      GOCACHE: join(tmpdir(), "millrace-go"),
      HOOK_SECRET: former,
      WEBHOOK_ID: headers["webhook-id"],
      WEBHOOK_TIMESTAMP: headers["webhook-timestamp"],
      WEBHOOK_SIGNATURE: headers["webhook-signature"]
    }
  })
  return { status, out: stdout.trim(), signatures: headers["webhook-signature"]!.split(" ") }
}

const verifies = (command: ReadonlyArray<string>) => {
  const right = run(command)
  assert.deepStrictEqual([right.status, right.out], [0, "record.update"])
  assert.notStrictEqual(run(command, body.replace("907", "908")).status, 0)
  // biome-ignore lint/plugin: a timestamp that is sent, not what has passed.
  assert.notStrictEqual(run(command, body, Date.now() - 10 * MINUTES).status, 0)
}

describe("examples of verifying a delivery (W7)", () => {
  it("Node, with the package standardwebhooks", () => verifies([process.execPath, example("verify.mjs")]))

  it.skipIf(!canRun("python3", "-c", "str.removeprefix"))(
    "Python, with its own packages (skipped without Python 3.9)",
    () => verifies(["python3", example("verify.py")])
  )

  it.skipIf(!canRun("go", "version"))(
    "Go, with its own packages (skipped without Go)",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "millrace-verify-"))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const program = join(folder, "verify")
      const built = spawnSync("go", ["build", "-o", program, example("verify.go")], {
        encoding: "utf8",
        timeout: ENDS_MILLIS,
        env: { ...process.env, GOCACHE: join(tmpdir(), "millrace-go") }
      })
      assert.strictEqual(built.status, 0, built.stderr)
      verifies([program])
    },
    300_000
  )

  it.skipIf(!canRun("openssl", "version"))("a shell line, with openssl (skipped without it)", () => {
    const right = run(["sh", example("verify.sh")])
    assert.strictEqual(right.status, 0)
    assert.include(right.signatures, right.out)
    const changed = run(["sh", example("verify.sh")], body.replace("907", "908"))
    assert.notInclude(changed.signatures, changed.out)
  })
})
