// Lines of a shell as a reader types them, one after another in one shell that ends at the first that fails.
import { execFile, spawnSync } from "node:child_process"
import { Effect } from "effect"
import type { Snippet } from "./snippets.ts"

/** A quote, a substitution or a document is still open. */
const isOpen = (text: string) => {
  const { status, stderr } = spawnSync("bash", ["-n", "-c", text], { encoding: "utf8" })
  return text.endsWith("\\") || status !== 0 || stderr.includes("here-document")
}

/** The commands of a block, each with the lines that it goes on for. */
export const commandsOf = ({ text }: Snippet): ReadonlyArray<string> => {
  const commands: Array<string> = []
  let commandText = ""
  for (const textLine of text.split("\n")) {
    commandText += commandText === "" ? textLine : `\n${textLine}`
    // Nothing is open at the end of most lines: asked is where a look tells that something may be.
    if (/['"\\]|<</.test(commandText) && isOpen(commandText)) continue
    if (!/^\s*(#|$)/.test(commandText)) commands.push(commandText)
    commandText = ""
  }
  return commandText === "" ? commands : [...commands, commandText]
}

/** curl fails where it is refused, and finds the service where it says that it is. `npm run cli --` starts the program that this run has put together. */
export const PROGRAMS = `
curl() { command curl --no-progress-meter --show-error --fail-with-body --connect-to "$SERVICE" "$@"; }
npm() { test "$1 $2" = "run cli" && shift && shift && { test "$1" != "--" || shift; } && "$NODE" "$CLI" "$@"; }`

/** Carries out the commands; what they said, with the command that failed. @param prelude defines what they are to find */
export const shell = (commands: ReadonlyArray<string>, cwd: string, env: Record<string, string>, prelude: string) => {
  const script = [
    "set -eE -o pipefail",
    prelude,
    ...commands.map((command) => `LINE=$(cat <<'~~'\n${command}\n~~\n)\n${command}`)
  ]
  const trapped = ['trap \'printf "this failed: %s\\n" "$LINE" >&2\' ERR', ...script].join("\n")
  // Not to its end at once: the service that it calls may be in this process.
  return Effect.callback<{ readonly status: number; readonly said: string }>((resume) => {
    execFile(
      "bash",
      ["--norc", "-c", trapped],
      { cwd, env: { PATH: process.env["PATH"] ?? "", ...env }, maxBuffer: 50_000_000 },
      (error, out, err) => resume(Effect.succeed({ status: error === null ? 0 : 1, said: out + err }))
    )
  })
}
