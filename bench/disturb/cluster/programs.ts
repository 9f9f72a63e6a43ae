// Finds the programs of a cluster that npm does not bring: Temporal's server and its tool for SQL schemas (in a directory that is named, on
// PATH, in the cache, else built once with Go), and HAProxy, which is used if it is there.
import { execFile } from "node:child_process"
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { Effect } from "effect"
import { cacheDir } from "../../../bin/parts/os.js"
import { MachineFailed } from "../../support/machine.ts"

const VERSION = "1.29.1"
const MODULE = "go.temporal.io/server/cmd"
/** Package of the module that each program is built from, and the name that Go gives the result. */
const PACKAGES = {
  "temporal-server": { path: "server", built: "server" },
  "temporal-sql-tool": { path: "tools/sql", built: "sql" }
} as const
const BUILD_MILLIS = 1_800_000

export interface Programs {
  readonly server: string
  readonly sqlTool: string
  /** Undefined: a small proxy of our own takes its place. */
  readonly haproxy: string | undefined
}

const runs = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const onPath = () => (process.env["PATH"] ?? "").split(delimiter).filter(Boolean)

/** Both programs, from the module that is pinned above; into the directory once both are there. */
const build = (target: string, say: (line: string) => void) =>
  Effect.tryPromise({
    try: async () => {
      say(`building Temporal's server ${VERSION} with Go: once per machine, about 8 minutes on two cores`)
      mkdirSync(join(target, ".."), { recursive: true })
      const work = mkdtempSync(`${target}-`)
      try {
        for (const [name, { built, path }] of Object.entries(PACKAGES)) {
          const env = { ...process.env, GOBIN: work, GOFLAGS: "-mod=mod" }
          await promisify(execFile)("go", ["install", `${MODULE}/${path}@v${VERSION}`], { env, timeout: BUILD_MILLIS })
          renameSync(join(work, built), join(work, name))
        }
        renameSync(work, target)
      } finally {
        rmSync(work, { recursive: true, force: true })
      }
    },
    catch: (error) =>
      new MachineFailed({
        message: [
          "A cluster needs Temporal's server, `temporal-server`, and `temporal-sql-tool`:",
          "  - they are in no directory of PATH; name one that holds them by --programs or CLUSTER_PROGRAMS",
          `  - they cannot be built with Go: ${(error as Error).message.trim().split("\n").at(-1)}`,
          "Both are in the archives of https://github.com/temporalio/temporal/releases."
        ].join("\n")
      })
  })

export const findPrograms = Effect.fnUntraced(function* (named: string | undefined, say: (line: string) => void) {
  if (process.platform !== "linux")
    return yield* new MachineFailed({
      message: "A cluster on one machine needs Linux, where all of 127.0.0.0/8 is there."
    })
  const cache = join(cacheDir(), "temporal-server", `v${VERSION}`)
  const programsDir = named ?? process.env["CLUSTER_PROGRAMS"]
  const directories = [...(programsDir === undefined ? [] : [programsDir]), ...onPath(), cache]
  const find = (name: string, where: ReadonlyArray<string>) => where.map((dir) => join(dir, name)).find(runs)
  const names = Object.keys(PACKAGES)
  if (!names.every((name) => find(name, directories) !== undefined)) yield* build(cache, say)
  const [server, sqlTool] = names.map((name) => find(name, directories)!)
  // Debian keeps it where only root's PATH looks.
  const haproxy = find("haproxy", [...directories, "/usr/sbin"])
  return { server: server!, sqlTool: sqlTool!, haproxy } satisfies Programs as Programs
})
