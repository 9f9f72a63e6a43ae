// The stages of the image that make something (deploy/Dockerfile), each run in a folder that holds what the stage copies and nothing else, with
// the packages of this clone.
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { pathWith } from "../../bin/parts/node.js"
import { attachedFiles, pageFiles } from "../../src/interfaces/docs/manualFiles.ts"
import { plainEnvironment } from "../support/environment.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const dir = mkdtempSync(join(tmpdir(), "millrace-stages-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const lines = readFileSync(join(root, "deploy/Dockerfile"), "utf8").replaceAll("\\\n", " ").split("\n")

/** The instructions of a stage, as pairs of name and arguments. */
const instructionsOf = (stage: string) => {
  const from = lines.findIndex((line) => line.startsWith("FROM ") && line.endsWith(` AS ${stage}`))
  assert.isAtLeast(from, 0, `a stage ${stage}`)
  const stageLines = lines.slice(from + 1)
  const end = stageLines.findIndex((line) => line.startsWith("FROM "))
  return stageLines
    .slice(0, end)
    .flatMap((line) => /^(COPY|RUN|ENV) (.+)$/.exec(line)?.slice(1) ?? [])
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1]!] as const] : []))
}

/** As an engine does: the contents of a folder, or a file into a folder, come to where the last word says. */
const copied = (app: string, words: ReadonlyArray<string>) => {
  const to = words.at(-1)!
  for (const from of words.slice(0, -1)) {
    const target = words.length > 2 || to.endsWith("/") || to === "." ? join(app, to, basename(from)) : join(app, to)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, from), target, { recursive: true })
  }
}

const run = (stage: string) => {
  const app = join(dir, stage)
  mkdirSync(app)
  symlinkSync(join(root, "node_modules"), join(app, "node_modules"))
  const env: Record<string, string> = {
    ...plainEnvironment(),
    PATH: pathWith(process.execPath),
    XDG_CACHE_HOME: join(dir, "cache")
  }
  for (const [name, words] of instructionsOf(stage)) {
    // Packages are those of the clone.
    if (name === "COPY" && !words.startsWith("--from=")) copied(app, words.split(" "))
    if (name !== "RUN" || words.startsWith("npm ci")) continue
    const command = words.replaceAll("/app/", `${app}/`)
    const { status, stderr, stdout } = spawnSync("sh", ["-c", command], {
      cwd: app,
      env,
      encoding: "utf8",
      timeout: ENDS_MILLIS
    })
    assert.strictEqual(status, 0, `${command}\n${stdout}${stderr}`)
  }
  return app
}

describe("a stage of the image holds all that its steps read", () => {
  it("the console", () => {
    assert.isTrue(existsSync(join(run("console"), "built", "index.html")))
  })

  it("packages: what the service runs on, without libraries of scripts and what builds", () => {
    const app = join(dir, "packages")
    const instructions = instructionsOf("packages")
    for (const [name, words] of instructions) if (name === "COPY") copied(app, words.split(" "))
    const [commands] = instructions.flatMap(([name, words]) => (name === "RUN" ? [words] : []))
    const dryCommands = commands!.replace("npm ci", "npm ci --dry-run --loglevel=info --offline")
    const how = { cwd: app, env: plainEnvironment(), encoding: "utf8", timeout: ENDS_MILLIS } as const
    const { status, stderr, stdout } = spawnSync("sh", ["-c", dryCommands], how)
    assert.strictEqual(status, 0, stderr)
    const added = [...stdout.matchAll(/^add (\S+) /gm)].map(([, name]) => name!)
    assert.include(added, "effect")
    for (const name of ["rolldown", "typescript", "lodash", "moment", "cheerio"]) assert.notInclude(added, name)
  })

  it("programs, scripts and workflows", () => {
    const app = run("bundle")
    for (const program of ["main.mjs", "cli.mjs", "scripts.json", "workflows.js"])
      assert.isTrue(existsSync(join(app, "programs", program)), program)
    assert.isFalse(existsSync(join(app, "node_modules")), "the image has the packages of another stage")
    for (const file of [...pageFiles().keys(), ...attachedFiles().keys()])
      assert.isTrue(existsSync(join(app, file)), `${file}, which /docs serves`)
  })
})
