// A real PgBouncer in transaction mode before the test's Postgres, where one that carries prepared statements is on PATH.
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { freePort } from "../../bin/parts/os.js"
import { eventually } from "./eventually.ts"

/** Null, or why there is none to try with. */
export const noPgbouncer = ((): string | null => {
  try {
    const versionText = execFileSync("pgbouncer", ["--version"], { encoding: "utf8" })
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(versionText) ?? []
    return Number(major) * 1000 + Number(minor) >= 1021
      ? null
      : `needs PgBouncer 1.21 on PATH, which has ${versionText.split("\n")[0]}`
  } catch {
    return "needs PgBouncer on PATH"
  }
})()

const isListening = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resume(Effect.succeed(true)))
    socket.once("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  })

/** The address of the same database and role through a pool of a few server connections; ended with the scope. */
export const pooledUrl = Effect.fnUntraced(function* (
  databaseUrl: string,
  { connections = 5, prepared = 200 }: { readonly connections?: number; readonly prepared?: number } = {}
) {
  const poolerUrl = new URL(databaseUrl)
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  const folder = mkdtempSync(join(tmpdir(), "millrace-pgbouncer-"))
  const file = join(folder, "pgbouncer.ini")
  const connection = `host=${poolerUrl.hostname} port=${poolerUrl.port} user=${poolerUrl.username} password=${poolerUrl.password}`
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: connections,
    max_client_conn: 1000,
    max_prepared_statements: prepared,
    // What waits for ever is to fail within the test.
    query_wait_timeout: 20
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(file, ["[databases]", `* = ${connection}`, "[pgbouncer]", ...lines, ""].join("\n"))
  // As root it is told to become somebody else, who reads the file too.
  chmodSync(folder, 0o755)
  const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  const printed: Array<string> = []
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("pgbouncer", [...asNobody, file], { stdio: ["ignore", "ignore", "pipe"] })
      child.stderr.on("data", (chunk) => printed.push(String(chunk)))
      return child
    }),
    (child) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        rmSync(folder, { recursive: true, force: true })
      })
  )
  yield* eventually("PgBouncer listens", isListening(port), (there) => there).pipe(
    Effect.catchDefect(() => Effect.die(new Error(printed.join(""))))
  )
  poolerUrl.host = `127.0.0.1:${port}`
  return poolerUrl.href
})
