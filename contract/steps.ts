// Programs of others, in a folder of the cache: run to their end, with the last of what they said where they fail.
import { spawn, spawnSync } from "node:child_process"
import { Effect } from "effect"

export interface Step {
  readonly what: "installs" | "generates" | "compiles" | "runs" | "compares"
  readonly command: string
  readonly args: ReadonlyArray<string>
}

const TAIL = 6_000

export const isThere = (command: string) =>
  spawnSync(command, [command === "go" ? "version" : "--version"]).status === 0

/** What it said on its output. */
export const carriedOut = ({ args, command, what }: Step, cwd: string, env: Record<string, string> = {}) =>
  Effect.callback<string, Error>((resume, signal) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, signal })
    let answer = ""
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      answer += text
      said = (said + text).slice(-TAIL)
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-TAIL)
    })
    child.once("error", (error) => resume(Effect.fail(error)))
    child.once("close", (code) =>
      resume(
        code === 0 ? Effect.succeed(answer) : Effect.fail(new Error(`${what}: ${command} ended with ${code}\n${said}`))
      )
    )
  })
