// Processes beside the service in a measurement: peers, which stay, and the load generator, which ends with an answer.
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { freePort } from "../../bin/parts/os.js"
import { type Machine, root } from "./machine.ts"
import { ofProcess, postgresSeconds } from "./processor.ts"
import { BenchFailed, type Measure, type Sample } from "./Row.ts"

const script = (name: string) => join(root, "bench", "peers", name)

/** A peer that listens on a port of its own; it ends with the scope. */
export const startPeer = Effect.fn("startPeer")(function* (
  machine: Machine,
  name: string,
  env: Record<string, string> = {},
  path = "/"
) {
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  const printed: Array<string> = []
  const child: ChildProcess = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const started = spawn(process.execPath, [script(name)], {
        env: { ...machine.env, NODE_ENV: "production", ...env, PORT: String(port) },
        stdio: ["ignore", "pipe", "pipe"]
      })
      for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => printed.push(String(chunk)))
      return started
    }),
    (started) => Effect.sync(() => started.kill("SIGKILL"))
  )
  const url = `http://127.0.0.1:${port}`
  yield* Effect.tryPromise(() => fetch(`${url}${path}`)).pipe(
    Effect.retry({ times: 100, schedule: Schedule.spaced("100 millis") }),
    Effect.mapError(
      () => new BenchFailed({ message: `${name} did not start (${child.exitCode}): ${printed.join("")}` })
    )
  )
  return { url, pid: child.pid ?? 0 }
})

/** Adds milliseconds of processor time for a request: of a process, and of Postgres. Rates say little beside much other work. */
export const perRequest =
  (machine: Machine, pid: number, measure: Measure): Measure =>
  (seconds) =>
    Effect.gen(function* () {
      const startUsage = { process: ofProcess(pid), postgres: postgresSeconds(machine) }
      const sample = yield* measure(seconds)
      const count = sample["rate"]! * seconds
      const millis = (seconds: number) => Number(((seconds * 1_000) / count).toFixed(3))
      // A process that has ended meanwhile counts no more.
      const postgres = [...postgresSeconds(machine)].reduce(
        (sum, [one, worked]) => sum + worked - (startUsage.postgres.get(one) ?? 0),
        0
      )
      return { ...sample, process_ms: millis(ofProcess(pid) - startUsage.process), postgres_ms: millis(postgres) }
    })

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

let files = 0

/** A generator that works on a file against a server; what was not answered as it should be is counted. */
const generated = (generator: string, file: string): Effect.Effect<Sample & { readonly failed: number }, BenchFailed> =>
  Effect.tryPromise({
    try: () =>
      new Promise<Sample & { readonly failed: number }>((resolve, reject) => {
        execFile(process.execPath, [script(generator), file], { maxBuffer: 1e8 }, (error, stdout, stderr) =>
          error === null ? resolve(JSON.parse(stdout)) : reject(new Error(stderr))
        )
      }),
    catch: (error) => new BenchFailed({ message: (error as Error).message })
  })

/** Runs the generator; any answer but 2xx fails the measurement. */
const measured = (generator: string, file: string, url: string) =>
  generated(generator, file).pipe(
    Effect.filterOrFail(
      ({ failed }) => failed === 0,
      ({ failed }) => new BenchFailed({ message: `${failed} requests to ${url} failed` })
    )
  )

/** Requests that are prepared once. @param urls one, or several servers, each of which gets so many connections */
export const loader = (
  machine: Machine,
  urls: string | ReadonlyArray<string>,
  connections: number,
  requests: ReadonlyArray<Request>
) => {
  const file = join(machine.dir, `requests-${files++}.json`)
  const servers = [urls].flat()
  return (seconds: number) =>
    Effect.suspend(() => {
      writeFileSync(file, JSON.stringify({ urls: servers, connections, seconds, requests }))
      return measured("generator.js", file, servers.join(", "))
    })
}

/** Requests in turn, by one client that waits for each. */
export const oneClient = (machine: Machine, url: string, requests: ReadonlyArray<Request>) => {
  const file = join(machine.dir, `client-${files++}.json`)
  return (seconds: number) =>
    Effect.suspend(() => {
      writeFileSync(file, JSON.stringify({ url, seconds, requests }))
      return measured("oneClient.js", file, url)
    })
}

/** Requests of one client, one address after another. */
export const sequential = (
  machine: Machine,
  url: string,
  requests: ReadonlyArray<Pick<Request, "headers" | "path"> & { readonly name: string }>
) => {
  const file = join(machine.dir, `sequence-${files++}.json`)
  return (seconds: number) =>
    Effect.suspend(() => {
      writeFileSync(file, JSON.stringify({ url, seconds, requests }))
      return measured("sequential.js", file, url)
    })
}

/** Sends each of the requests once every `everyMillis`. */
export const paced = (
  machine: Machine,
  url: string,
  everyMillis: number,
  requests: ReadonlyArray<Pick<Request, "headers" | "path"> & { readonly name: string }>
) => {
  const file = join(machine.dir, `paced-${files++}.json`)
  return (seconds: number) =>
    Effect.suspend(() => {
      writeFileSync(file, JSON.stringify({ url, seconds, everyMillis, requests }))
      return generated("paced.js", file)
    })
}

/** Refreshes, each with the token of the answer before; the tokens go from one measurement to the next. */
export const refresher = (
  machine: Machine,
  work: { url: string; path: string; clientId: string; tokens: ReadonlyArray<string> }
) => {
  const file = join(machine.dir, `tokens-${files++}.json`)
  writeFileSync(file, JSON.stringify(work))
  return (seconds: number) =>
    Effect.suspend(() => {
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), seconds }))
      return measured("refresher.js", file, work.url)
    })
}
