// Finds at the start how this system can confine processes, by trying (decisions P9): a user, namespaces, a small read-only root, no
// privileges and limits of their own, as far as they can be had. Scripts and the PDF browser start through it.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import type { ConfinementProfile } from "./ConfinementProfile.ts"
import { type Layers, nothingHolds, probe } from "./probe.ts"
import { bare, nodeProfile } from "./profiles.ts"
import { type StartCommand, startCommands } from "./startCommands.ts"
import { isRoot, ownUser } from "./systemPrograms.ts"

export type ConfinementMode = "auto" | "required" | "off"

/** Error for `SCRIPT_CONFINEMENT=required` on a system that lacks a layer. */
export class ConfinementMissing extends Schema.TaggedError<ConfinementMissing>()("ConfinementMissing", {
  missing: Schema.String
}) {
  override get message() {
    return `SCRIPT_CONFINEMENT is "required", and this system gives scripts no ${this.missing}. docs/operations.md says what it takes.`
  }
}

export interface Confinement {
  readonly way: StartCommand
  /** Way without any confinement. */
  readonly none: StartCommand
  readonly layers: Layers
  /** Summary for operators, in one line. */
  readonly told: string
}

/** Environment of every confined process. */
const environment = { TZ: "UTC", LANG: "C.UTF-8" } as const

const LAYERS: ReadonlyArray<readonly [name: string, holds: (layers: Layers) => boolean]> = [
  ["own user", (l) => l.ownUser],
  ["user namespace", (l) => l.namespaces.includes("user")],
  ["network namespace", (l) => l.noNetwork],
  ["process namespace", (l) => l.noProcesses],
  ["ipc and host name namespaces", (l) => l.namespaces.includes("ipc") && l.namespaces.includes("uts")],
  ["minimal read-only root", (l) => l.minimalRoot],
  ["no privileges", (l) => l.noPrivileges],
  ["limits on memory, processes and files", (l) => l.limits]
]
/** True if a missing layer matters here: a user namespace replaces an own user if the service is not root. */
const needed = (name: string) => name !== (isRoot ? "user namespace" : "own user")

const missing = (layers: Layers) =>
  LAYERS.filter(([name, holds]) => needed(name) && !holds(layers)).map(([name]) => name)

const tell = (way: StartCommand, layers: Layers): string => {
  const activeLayers = LAYERS.filter(([, holds]) => holds(layers)).map(([name]) => name)
  const lacking = missing(layers)
  const by = `Scripts are confined by: ${activeLayers.join(", ") || "nothing but Node's permission model"} (${way.name})`
  return lacking.length === 0 ? by : `${by}; not by: ${lacking.join(", ")}`
}

const weakestWay = (all: ReadonlyArray<StartCommand>) => all[all.length - 1]!

/** First way that works: they come in the order of strength. */
const best = async (all: ReadonlyArray<StartCommand>, mode: ConfinementMode): Promise<Confinement> => {
  const none = weakestWay(all)
  if (mode === "off")
    return { way: none, none, layers: nothingHolds, told: "Scripts are NOT CONFINED, for SCRIPT_CONFINEMENT is off" }
  const profile = await nodeProfile([]).catch(() => undefined)
  for (const way of all) {
    if (profile === undefined && way.ownRoot) continue
    const user = ownUser()
    const command = [...way.wrap(profile ?? bare, user), process.execPath, "-"]
    const layers = await probe(command, environment, [fileURLToPath(import.meta.url), "/etc/passwd"])
    if (layers !== undefined) return { way, none, layers, told: tell(way, layers) }
  }
  return { way: none, none, layers: nothingHolds, told: tell(none, nothingHolds) }
}

const tried = new Map<ConfinementMode, Promise<Confinement>>()

/** Finds the confinement, once in the life of this process. */
export const confinement = (mode: ConfinementMode): Effect.Effect<Confinement, ConfinementMissing> =>
  Effect.gen(function* () {
    const choice = tried.get(mode === "required" ? "auto" : mode) ?? best(startCommands(), mode)
    tried.set(mode === "required" ? "auto" : mode, choice)
    const bestConfinement = yield* Effect.promise(() => choice)
    const lacking = missing(bestConfinement.layers)
    if (mode === "required" && lacking.length > 0)
      return yield* new ConfinementMissing({ missing: lacking.join(", no ") })
    return bestConfinement
  })

/** Starts `command` in this confinement. `endConfined` ends all that it started. */
export const startConfined = (
  { way }: Pick<Confinement, "way">,
  profile: ConfinementProfile,
  command: ReadonlyArray<string>,
  stdio: StdioOptions,
  env: Readonly<Record<string, string>> = environment
): ChildProcess => {
  const [program, ...args] = [...way.wrap(profile, ownUser()), ...command]
  const child = spawn(program!, args, { env: { ...env }, cwd: "/", stdio, detached: process.platform !== "win32" })
  // Ignores errors: the process's end reports them. A pipe whose process ended with something unread fails even after it was left, and an
  // error without a listener ends the service.
  for (const part of [child, ...child.stdio]) part?.on("error", () => {})
  return child
}

/** Kills the whole group: wrappers around the process, and what it may have started if it has no namespace of its own. */
export const endConfined = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL")
  } catch {
    child.kill("SIGKILL")
  }
}
