// The release before this one, built from its commit, and how it takes turns with this one on one database: rolling forward, back, and
// forward again, the other always working beside (issue "upgrades"). It is a clone of its own that shares the packages.
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { type Machine, MachineFailed, root } from "../support/machine.ts"

/** The last commit of the release before. Whoever makes a release names the one that it follows. */
export const RELEASE_BEFORE = "706797b9"

const git = (...args: ReadonlyArray<string>) =>
  Effect.callback<string, MachineFailed>((resume) => {
    execFile("git", args, { cwd: root }, (error, out, err) =>
      resume(
        error === null
          ? Effect.succeed(out.trim())
          : Effect.fail(new MachineFailed({ message: `git ${args[0]}: ${err.trim() || error.message}` }))
      )
    )
  })

/** A clone at the commit, for the time of the scope. */
export const cloneOf = Effect.fnUntraced(function* (commit: string) {
  yield* git("cat-file", "-e", `${commit}^{commit}`).pipe(
    Effect.mapError(
      () =>
        new MachineFailed({
          message: `this clone does not hold ${commit}, the release before: fetch its whole history`
        })
    )
  )
  const dir = mkdtempSync(join(tmpdir(), "millrace-release-"))
  const clone = join(dir, "clone")
  yield* Effect.addFinalizer(() =>
    git("worktree", "remove", "--force", clone).pipe(
      Effect.ignore,
      Effect.andThen(Effect.sync(() => rmSync(dir, { recursive: true, force: true })))
    )
  )
  yield* git("worktree", "add", "--detach", clone, commit)
  if (!existsSync(join(clone, "node_modules"))) symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
  return clone
})

/** Migrates at the first moment and starts this release beside the one before; at each further moment the two change places. */
export const takeTurns = Effect.fnUntraced(function* (
  machine: Machine,
  before: string,
  moments: ReadonlyArray<number>,
  say: (line: string) => void
) {
  const began = yield* Clock.currentTimeMillis
  const nameOf = (clone: string) => (clone === root ? "this release" : "the release before")
  let serving = before
  let secondService: Effect.Success<ReturnType<Machine["startBeside"]>> | undefined
  for (const [i, moment] of moments.entries()) {
    const wait = began + moment - (yield* Clock.currentTimeMillis)
    if (wait > 0) yield* Effect.sleep(wait)
    const other = serving === root ? before : root
    if (i === 0) {
      yield* machine.prepareFrom(root)
      secondService = yield* machine.startBeside(other)
    } else {
      yield* secondService!.stop
      yield* machine.serveFrom(other)
      secondService = yield* machine.startBeside(serving)
      serving = other
    }
    say(
      `${(moment / 1000).toFixed(1)} s: ${nameOf(serving)} serves, ${nameOf(serving === root ? before : root)} beside`
    )
  }
  yield* secondService!.stop
})
