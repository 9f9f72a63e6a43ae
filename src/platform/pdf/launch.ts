// Chooses how the browser's process is started (decisions P9): behind the one confinement, never as root if another user can be had, with
// its own sandbox where it can have one. The first browser finds what works on this machine; later ones reuse it.
import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Confinement, ConfinementMode } from "../confinement/Confinement.ts"
import type { ConfinementProfile } from "../confinement/ConfinementProfile.ts"
import { SCRATCH } from "../confinement/jail.ts"
import { insiders, type StartCommand } from "../confinement/startCommands.ts"
import { isRoot, ownUser } from "../confinement/systemPrograms.ts"

const MIB = 1024 * 1024

/** Programs, libraries and fonts of the system, and no folder with people's files. */
const SYSTEM = [
  ...["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64"],
  ...["/usr/libexec", "/usr/share", "/usr/local/share/fonts", "/etc/fonts", "/etc/alternatives", "/etc/ld.so.cache"],
  ...["/etc/chromium", "/etc/chromium.d", "/var/cache/fontconfig"]
]

const profileOf = (executable: string): ConfinementProfile => {
  const system = SYSTEM.filter((path) => existsSync(path))
  const ownFolders = [dirname(executable), ...insiders.map(dirname)].filter(
    (folder) => !system.some((path) => folder === path || folder.startsWith(`${path}/`))
  )
  return {
    name: "browser",
    read: [...new Set([...system, ...ownFolders])],
    scratchMiB: 512,
    nests: true,
    // Counts threads, too.
    processes: 1024,
    files: 4096,
    fileBytes: 512 * MIB,
    dataBytes: 16_384 * MIB
  }
}

export interface LaunchAttempt {
  readonly way: StartCommand
  /** True if the browser's own sandbox is on. */
  readonly sandbox: boolean
}

const UNSANDBOXED = ["--no-sandbox", "--no-zygote"]

/** Launch attempts from the strongest to the weakest; unconfined ones only if confinement is not required. */
export const attempts = ({ way, none }: Confinement, mode: ConfinementMode): ReadonlyArray<LaunchAttempt> => {
  const unconfinedWays = mode === "required" || way === none ? [] : [none]
  return [way, ...unconfinedWays].flatMap((by) => [
    // Chromium refuses a sandbox as root.
    ...(by === none && isRoot ? [] : [{ way: by, sandbox: true }]),
    { way: by, sandbox: false }
  ])
}

export const toldOf = (confined: Confinement, { sandbox, way }: LaunchAttempt): string => {
  const by = way === confined.way ? `${way.name}, as scripts are` : "nothing around it"
  const user = way === confined.none && isRoot ? "; it runs AS ROOT" : ""
  return `PDFs are printed by a Chromium with ${by}; its own sandbox is ${sandbox ? "on" : "off"}${user}`
}

/** Confinement profile, scratch folder and switches of Chromium; `end` removes what was made for it. */
export const launchOf = ({ sandbox, way }: LaunchAttempt, executable: string) => {
  const user = ownUser()
  const scratchFolder = way.ownRoot ? undefined : mkdtempSync(join(tmpdir(), "millrace-browser-"))
  if (scratchFolder !== undefined && user !== undefined && way.name !== "nothing") chownSync(scratchFolder, user, user)
  return {
    profile: profileOf(executable),
    scratch: scratchFolder ?? SCRATCH,
    switches: [`--user-data-dir=${scratchFolder ?? SCRATCH}/profile`, ...(sandbox ? [] : UNSANDBOXED)],
    end: () =>
      scratchFolder === undefined ? undefined : rmSync(scratchFolder, { recursive: true, force: true, maxRetries: 5 })
  }
}
