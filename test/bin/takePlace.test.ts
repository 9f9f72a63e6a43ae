// What is made once and kept (programs, bundles, copies of Postgres) is on the disk before it has its name, and its name after that: what has
// the name is taken for whole by every later start.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { kept } from "../../bin/parts/kept.js"
import { takePlace } from "../../bin/parts/os.js"

const steps = vi.hoisted(() => [] as Array<string>)
vi.mock("node:fs/promises", async (original) => {
  const fs = await original<typeof import("node:fs/promises")>()
  return {
    ...fs,
    open: async (...args: Parameters<typeof fs.open>): Promise<FileHandle> => {
      const handle = await fs.open(...args)
      const sync = handle.sync.bind(handle)
      handle.sync = () => {
        steps.push(`sync ${basename(String(args[0])).replace(/^bundle-\w+\.\d+$/, "draft")}`)
        return sync()
      }
      return handle
    },
    rename: (...args: Parameters<typeof fs.rename>) => {
      steps.push("rename")
      return fs.rename(...args)
    }
  }
})
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>()
  return {
    ...fs,
    fsyncSync: (handle: number) => {
      steps.push(`sync ${fs.fstatSync(handle).isDirectory() ? "folder" : "file"}`)
      fs.fsyncSync(handle)
    }
  }
})

describe("what is made beside its place", () => {
  let dir = ""
  beforeEach(() => {
    steps.length = 0
    dir = mkdtempSync(join(tmpdir(), "millrace-place-"))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it("a folder: all that is in it, then its name", async () => {
    mkdirSync(join(dir, "draft", "bin"), { recursive: true })
    writeFileSync(join(dir, "draft", "bin", "program"), "code")
    symlinkSync("program", join(dir, "draft", "bin", "link"))
    await takePlace(join(dir, "draft"), join(dir, "place"))
    assert.deepStrictEqual(steps, ["sync program", "sync bin", "sync draft", "rename", "sync folder"])
    assert.strictEqual(readFileSync(join(dir, "place", "bin", "link"), "utf8"), "code")
    assert.isFalse(existsSync(join(dir, "draft")))
  })

  it("what is kept of this release's sources", async () => {
    const make = async (draft: string) => writeFileSync(draft, "bundle")
    const path = await kept({ folder: dir, name: "bundle", sources: ["bin/parts"], make })
    assert.deepStrictEqual(steps, ["sync draft", "rename", "sync folder"])
    assert.strictEqual(readFileSync(path, "utf8"), "bundle")
  })
})
