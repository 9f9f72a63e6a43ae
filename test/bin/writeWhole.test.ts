// decisions P4: a secret's file has its content on the disk before it takes the place of the former one, and its name after that.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { writeWhole } from "../../bin/parts/os.js"

const steps = vi.hoisted(() => [] as Array<string>)
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>()
  return {
    ...fs,
    writeFileSync: (...args: Parameters<typeof fs.writeFileSync>) => {
      steps.push(`write ${JSON.stringify(args[2])}`)
      fs.writeFileSync(...args)
    },
    renameSync: (...args: Parameters<typeof fs.renameSync>) => {
      steps.push("rename")
      fs.renameSync(...args)
    },
    fsyncSync: (handle: number) => {
      steps.push(fs.fstatSync(handle).isDirectory() ? "sync folder" : "sync file")
      fs.fsyncSync(handle)
    }
  }
})

it("writes, brings to the disk, takes the place, brings the folder to the disk", () => {
  const dir = mkdtempSync(join(tmpdir(), "millrace-whole-"))
  try {
    writeWhole(join(dir, "secret-key"), "key\n")
    assert.deepStrictEqual(steps, [`write ${JSON.stringify({ mode: 0o600, flush: true })}`, "rename", "sync folder"])
    assert.deepStrictEqual(readdirSync(dir), ["secret-key"])
    assert.strictEqual(readFileSync(join(dir, "secret-key"), "utf8"), "key\n")
  } finally {
    rmSync(dir, { recursive: true })
  }
})
