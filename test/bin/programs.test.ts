// What `npm start` and the commands run: programs put together once for each state of the sources (docs/operations.md).
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { inject } from "vitest"
import { PROGRAMS, programOf, programsFolder } from "../../bin/parts/programs.js"
import { descriptionText } from "../../src/api/descriptionText.ts"
import { catalogueTexts } from "../../src/domain/automations/meta/catalogueTexts.ts"
import { plainEnvironment } from "../support/environment.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"
import { program } from "../support/programs.ts"
import { root } from "./launcher.ts"

describe("the programs of the service", () => {
  it("are put together once, and stand for their sources alone", async () => {
    const folder = inject("programs")
    const { mtimeMs } = statSync(folder)
    assert.strictEqual(await programsFolder(process.execPath), folder)
    assert.strictEqual(statSync(folder).mtimeMs, mtimeMs)
    for (const name of PROGRAMS)
      assert.strictEqual(await programOf(process.execPath, `src/${name}.ts`), join(folder, `${name}.mjs`))
    for (const other of ["demo/main.ts", "test/bin/stand-in.ts"])
      assert.strictEqual(await programOf(process.execPath, other), join(root, other))
  })

  it("know the places of their sources, so that a trace of an error names them", () => {
    const { sources } = JSON.parse(readFileSync(join(inject("programs"), "main.mjs.map"), "utf8"))
    assert.isTrue(sources.some((source: string) => source.endsWith("/src/main.ts")))
  })

  it.each([
    { name: "descriptionText", make: descriptionText },
    { name: "catalogueTexts", make: catalogueTexts }
  ])("have beside them what takes half a second to make: $name", ({ make, name }) => {
    const storedProgram = JSON.parse(readFileSync(join(inject("programs"), `${name}.json`), "utf8"))
    assert.deepStrictEqual(storedProgram, make())
  })

  it("are a byte a sign in memory", () => {
    const programs = readdirSync(inject("programs")).filter((file) => file.endsWith(".mjs"))
    assert.isAbove(programs.length, PROGRAMS.length)
    for (const file of programs)
      assert.notMatch(readFileSync(join(inject("programs"), file), "utf8"), /[^\0-\xff]/, file)
  })

  it("load the client of Temporal where a command reaches it, and not before", () => {
    const listModules =
      "import { createRequire } from 'node:module'; process.on('exit', () => console.log(Object.keys(createRequire('/').cache).join('\\n')))"
    const args = ["--import", `data:text/javascript,${encodeURIComponent(listModules)}`, program("cli"), "--help"]
    const { stdout } = spawnSync(process.execPath, args, {
      cwd: root,
      env: plainEnvironment(),
      encoding: "utf8",
      timeout: ENDS_MILLIS
    })
    assert.include(stdout, "/@temporalio/common/")
    assert.notInclude(stdout, "/@temporalio/client/")
  })

  it("say what their sources say", () => {
    const env = plainEnvironment()
    const help = (program: string) =>
      spawnSync(process.execPath, [program, "--help"], { cwd: root, env, encoding: "utf8", timeout: ENDS_MILLIS })
        .stdout
    assert.include(help("src/cli.ts"), "Operate a Millrace installation")
    assert.strictEqual(help(join(inject("programs"), "cli.mjs")), help("src/cli.ts"))
  })
})
