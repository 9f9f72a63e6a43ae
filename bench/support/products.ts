// Products that a row measures beside this service. Their packages are locked in bench/products and installed when such a row is asked
// for: where that fails, the row is left out.
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Schedule } from "effect"
import { installPackages } from "../../bin/parts/node.js"
import { inherited, root } from "./machine.ts"
import { BenchFailed, benchFailed, ProductMissing } from "./Row.ts"

/** Installs a product's packages. @returns its directory */
export const installProduct = Effect.fnUntraced(function* (name: string) {
  const dir = join(root, "bench", "products", name)
  yield* Effect.tryPromise({
    try: () => installPackages(process.execPath, { dir }),
    catch: (error) => new ProductMissing({ message: `${name} could not be installed: ${(error as Error).message}` })
  })
  return dir
})

/** Compiles a product of Go modules into a directory; Go keeps what it has compiled. @returns its program */
export const buildProduct = Effect.fnUntraced(function* (name: string, data: string) {
  const program = join(data, name)
  yield* Effect.tryPromise({
    try: () => promisify(execFile)("go", ["build", "-o", program, "."], { cwd: join(root, "bench", "products", name) }),
    catch: (error) => new ProductMissing({ message: `${name} could not be built: ${(error as Error).message}` })
  })
  return program
})

/** Starts a program of a product; it ends with the scope. What it prints goes into a file. */
export const startProgram = (program: string, args: ReadonlyArray<string>, env: Record<string, string>, log: string) =>
  Effect.acquireRelease(
    Effect.sync((): ChildProcess => {
      const output = openSync(log, "a")
      const child = spawn(program, args, { env: { ...inherited(), ...env }, stdio: ["ignore", output, output] })
      closeSync(output)
      return child
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Runs a program of a product to its end. */
export const runProgram = (program: string, args: ReadonlyArray<string>, env: Record<string, string>) =>
  Effect.tryPromise({
    try: () => promisify(execFile)(program, [...args], { env: { ...inherited(), ...env } }),
    catch: benchFailed
  })

/** Asks until the answer is a good one, half a minute at most. */
export const askUntilGood = (what: string, url: string, init: RequestInit = {}) =>
  Effect.tryPromise(async () => {
    const response = await fetch(url, init)
    if (!response.ok) throw new Error(`${response.status}`)
    return response
  }).pipe(
    Effect.retry({ times: 300, schedule: Schedule.spaced("100 millis") }),
    Effect.mapError(({ message }) => new BenchFailed({ message: `${what}: ${message}` }))
  )
