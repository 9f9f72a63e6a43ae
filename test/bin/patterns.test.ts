// The check that no pattern of the service takes more than linear time (decisions P8; issue "safe among strangers").
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { patternsOf } from "../../bin/parts/patterns.js"
import { ENDS_MILLIS } from "../support/eventually.ts"
import { root } from "./launcher.ts"

const check = (...dirs: ReadonlyArray<string>) =>
  new Promise<{ readonly status: number | null; readonly said: string }>((resolve) => {
    const child = spawn(process.execPath, [join(root, "bin/patterns.js"), ...dirs], { cwd: root })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
    child.on("close", (status) => resolve({ status, said: output }))
  })

const judged = async (text: string) => {
  const dir = mkdtempSync(join(root, "node_modules", ".patterns-"))
  try {
    writeFileSync(join(dir, "one.ts"), text)
    return await check(relative(root, dir))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

describe("every pattern is linear (P8)", () => {
  it("in src, activities and workflows", async () => {
    const { said, status } = await check()
    assert.strictEqual(status, 0, said)
    assert.match(said, /all linear/)
  })

  it("attack: a pattern that is exponential, quadratic at an end, or quadratic only where it is looked for, is named", {
    timeout: ENDS_MILLIS
  }, async () => {
    const lines = [
      `export const nested = (text: string) => /^(a+)+$/.test(text)`,
      `export const blanks = (text: string) => text.replace(/\\s+$/, "")`,
      `export const tags = (text: string) => text.replaceAll(/<[^>]*>/g, " ")`,
      `export const words = (text: string) => text.search("(?:x.*)+y")`,
      `export const made = (text: string, word: string) => new RegExp(word).test(text)`,
      `export const written = (text: string) => RegExp("b*b*c").test(text)`,
      `export const fine = (text: string) => /^[a-z]+(?:-[a-z]+)*$/.test(text)`
    ]
    const { said, status } = await judged(lines.join("\n"))
    assert.strictEqual(status, 1)
    for (const [line] of lines.slice(0, 6).entries()) assert.match(said, new RegExp(`one\\.ts:${line + 1}: `), said)
    assert.notInclude(said, "one.ts:7")
  })

  it("finds patterns wherever they stand", () => {
    const text = `type A = { readonly b: string }
const { replace = /one/g } = {} as { replace?: RegExp }
export class C { static readonly two = /two/ satisfies RegExp; #three(x = /three/u) { return \`\${/four/.source}\` } }
export const five = ["x"].map((s) => s.match("five")), six = new RegExp("six", "i"), seven = RegExp(/seven/), eight = new RegExp(six)`
    const { built, patterns } = patternsOf("a.ts", text)
    assert.sameMembers(
      patterns.map(({ source }) => source),
      ["one", "two", "three", "four", "five", "six", "seven"]
    )
    assert.deepStrictEqual(built, [4])
  })
})
