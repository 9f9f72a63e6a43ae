// Starts Node for scripts: its permission model inside of the confinement, the program on standard input, messages on the fourth descriptor
// (developer-api.md 8.4, decisions P9).
import type { ChildProcess } from "node:child_process"
import { realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { type Confinement, startConfined } from "../confinement/Confinement.ts"
import type { ConfinementProfile } from "../confinement/ConfinementProfile.ts"
import { bare, nodeProfile } from "../confinement/profiles.ts"

/** Starts a process that runs `code`; its fourth descriptor is a pipe. */
export type Start = (code: string) => ChildProcess

const packageFolder = (name: string, from: string): string =>
  dirname(realpathSync(createRequire(from).resolve(`${name}/package.json`)))

/** The only files that a script process can read are those of the native module. */
const isolatedVm = packageFolder("isolated-vm", import.meta.url)
const folders = [isolatedVm, packageFolder("node-gyp-build", `${isolatedVm}/package.json`)]

const flags = [
  "--no-node-snapshot",
  "--no-warnings",
  "--permission",
  "--allow-addons",
  // node-gyp-build looks at the last one to tell musl from glibc.
  ...[...folders.map((folder) => `${folder}/*`), "/etc/alpine-release"].map((path) => `--allow-fs-read=${path}`),
  "--input-type=commonjs"
]

export const profileOf = (confined: Confinement): Promise<ConfinementProfile> =>
  confined.way.ownRoot ? nodeProfile(folders) : Promise.resolve(bare)

/** `given`: Node's flags; the native module's folder is the program's first argument. */
export const starter = (
  confined: Confinement,
  profile: ConfinementProfile,
  given: ReadonlyArray<string> = flags
): Start => {
  const command = [process.execPath, ...given, "-", isolatedVm]
  return (code) => {
    const child = startConfined(confined, profile, command, ["pipe", "ignore", "pipe", "pipe"])
    child.stdin?.end(code)
    return child
  }
}
