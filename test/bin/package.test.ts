// `npm pack` of the service: installed from the packed file in an empty folder it starts, is operated, runs scripts, and stops, with its data in
// the person's own place. Where root runs the tests, root installs and somebody else starts, who may not write to what was installed.
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { cacheDir, freePort, identify, stop } from "../../bin/parts/os.js"
import { DATA_SET } from "../../bin/parts/pins.js"
import { scriptLibraries } from "../../src/platform/sandbox/libraries.ts"
import { plainEnvironment } from "../support/environment.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"
import { root, until } from "./launcher.ts"
import { expectLibraries, expectNoPackages } from "./scriptLibraries.ts"

const dir = mkdtempSync(join(tmpdir(), "millrace-package-"))
const folder = join(dir, "empty")
const home = join(dir, "home")
let running: ChildProcess | undefined
const NPM_MILLIS = 400_000

afterAll(async () => {
  if (running?.pid !== undefined) await stop(identify(running.pid), [["SIGTERM", 20_000]])
  // Tens of thousands of files: a disk may take a minute for them, for which nobody has to wait.
  spawn("rm", ["-rf", dir], { detached: true, stdio: "ignore" }).unref()
})

/** The clone without what is made in it, so that packing leaves no trace beside other tests. */
const copyOfClone = () => {
  const clone = join(dir, "clone")
  const sourceNames = readdirSync(root).filter((name) => !["node_modules", "dist", ".data", ".git"].includes(name))
  for (const name of sourceNames) cpSync(join(root, name), join(clone, name), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
  return clone
}

const npm = (cwd: string, ...args: ReadonlyArray<string>) => {
  const how = { cwd, env: plainEnvironment(), encoding: "utf8", timeout: NPM_MILLIS, killSignal: "SIGKILL" } as const
  const { status, stderr, stdout } = spawnSync("npm", args, how)
  assert.strictEqual(status, 0, `npm ${args[0]}: ${stderr}`)
  return stdout
}

describe("npm pack of the service", () => {
  it(
    "holds the programs as JavaScript, the versions that were tested, and nothing of the clone alone",
    () => {
      const clone = copyOfClone()
      const [{ filename, files }] = JSON.parse(npm(clone, "pack", "--json", "--pack-destination", dir))
      const paths: ReadonlyArray<string> = files.map(({ path }: { path: string }) => path)
      const programFiles = ["main.mjs", "scripts.json", "workflows.js", "console/index.html"].map(
        (name) => `programs/${name}`
      )
      const expectedFiles = ["bin/millrace.js", "src/main.js", "workflows/index.js", ...programFiles]
      for (const path of ["npm-shrinkwrap.json", ...expectedFiles.map((name) => `dist/${name}`)])
        assert.include(paths, path)
      assert.deepStrictEqual(
        paths.filter((path) => /\.ts$|^test|^bench|bin\/pack\.js$|parts\/pack\.js$/.test(path)),
        []
      )
      assert.isFalse(existsSync(join(clone, "dist")) || existsSync(join(clone, "npm-shrinkwrap.json")))
      mkdirSync(folder)
      mkdirSync(home)
      // Over the link that npm makes, as the shell of a person does.
      npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", "--no-save", join(dir, filename))
      expectNoPackages(folder, [DATA_SET.name, "rolldown", ...scriptLibraries.map(({ from }) => from)])
    },
    2 * NPM_MILLIS
  )

  it("starts in an empty folder with its data in the person's place, is operated, and stops", async () => {
    const millrace = join(folder, "node_modules", ".bin", "millrace")
    const port = await freePort()
    // Theirs: a Node, the cached Temporal, the folder, the home; what they may not read is root's.
    const theirs = join(dir, "theirs")
    for (const from of [process.execPath, join(cacheDir(), "temporal")])
      if (existsSync(from)) cpSync(from, join(theirs, "millrace", basename(from)), { recursive: true })
    const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    if (somebody.uid !== undefined) {
      chmodSync(dir, 0o755)
      for (const path of [theirs, join(theirs, "millrace"), folder, home]) chownSync(path, somebody.uid, somebody.gid)
    }
    const env = {
      ...Object.fromEntries(Object.entries(plainEnvironment()).filter(([name]) => name !== "NODE_COMPILE_CACHE")),
      PATH: `${join(theirs, "millrace")}:${process.env["PATH"]}`,
      HOME: home,
      XDG_CACHE_HOME: theirs,
      npm_config_cache: join(home, ".npm"),
      DEMO_RECEIVER: `127.0.0.1:${await freePort()}`
    }
    const how = { ...somebody, cwd: folder, env }
    const ask = (...args: ReadonlyArray<string>) => {
      const { status, stderr, stdout } = spawnSync(millrace, args, { ...how, encoding: "utf8", timeout: ENDS_MILLIS })
      assert.strictEqual(status, 0, stderr)
      return stdout
    }
    assert.include(ask("--help"), "Usage: millrace")
    assert.strictEqual(spawnSync(millrace, ["fly"], { ...how, timeout: ENDS_MILLIS }).status, 2)

    writeFileSync(join(folder, ".env"), `PORT=${port}\nLOG_LEVEL=warn\nMETRICS_TOKEN_FILE=metrics-token\n`)
    writeFileSync(join(folder, "metrics-token"), "a-token-of-this-folder\n", { mode: 0o644 })
    let output = ""
    running = spawn(millrace, [], { ...how, stdio: ["ignore", "pipe", "pipe"] })
    for (const stream of [running.stdout, running.stderr])
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text
      })
    await until("it is ready", () => {
      assert.isNull(running?.exitCode, output)
      return output.includes("Ctrl-C stops it. Next, in another terminal: millrace demo") || undefined
    })
    assert.strictEqual((await fetch(`http://127.0.0.1:${port}/health/ready`)).status, 200)
    assert.isTrue(existsSync(join(home, ".local/share/millrace/secret-key")))

    const [org] = JSON.parse(ask("cli", "organization", "list", "--json"))
    assert.strictEqual(org.name, "Demo organization")
    const settings: ReadonlyArray<{ setting: string; value: string; from: string }> = JSON.parse(
      ask("cli", "config", "print", "--json")
    )
    const settingOf = (name: string) => settings.find(({ setting }) => setting === name)
    assert.deepStrictEqual(settingOf("PORT"), { setting: "PORT", value: String(port), from: ".env" })
    assert.deepStrictEqual(settingOf("DATA_DIR"), {
      setting: "DATA_DIR",
      value: join(home, ".local/share/millrace"),
      from: "default"
    })

    const { token } = JSON.parse(ask("cli", "token", "mint", "1", "--name", "Scripts", "--scopes", "all", "--json"))
    await expectLibraries(`http://127.0.0.1:${port}`, token)

    const { faults, lines } = JSON.parse(ask("demo", "--rows", "20", "--importers", "1", "--json"))
    assert.deepStrictEqual([lines[0].count, faults], [20, []])

    running.kill("SIGTERM")
    await until("it has ended", () => (running?.exitCode === null ? undefined : true))
    assert.strictEqual(running.exitCode, 0)
    assert.deepStrictEqual(readdirSync(folder).sort(), [".env", "metrics-token", "node_modules"])
  })
})
