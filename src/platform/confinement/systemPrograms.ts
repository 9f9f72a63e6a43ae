// Finds the machine's means of confinement (decisions P9): programs, their libraries, users that no other process has.
import { execFile } from "node:child_process"
import { randomInt } from "node:crypto"
import { accessSync, constants, existsSync, readFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"

/** Folders of administrators' programs, searched whatever the service's own PATH contains. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]

export const which = (name: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), ...FOLDERS]
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return path.startsWith("/")
      } catch {
        return false
      }
    })

/** Paths of the programs and of all libraries that the loader maps for them, as the loader names them. */
export const withLibraries = async (programs: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { stdout } = await promisify(execFile)("ldd", [...programs], { timeout: 10_000 })
  // Matches `libc.so.6 => /lib/libc.so.6 (0x…)`, or a path alone before the address.
  const libraries = stdout.split("\n").flatMap((line) => {
    const path = line.split(" (0x", 1)[0]!.trim().split(" ").at(-1)!
    return path.startsWith("/") ? [path] : []
  })
  return [...new Set([...programs, ...libraries])].filter((path) => existsSync(path))
}

const NOBODY = 65_534
const LEAST = 1_600_000_000
const MOST = 2_000_000_000

/** True if this process may take the user. In a container with users of its own only some exist. */
const exists = (uid: number): boolean => {
  try {
    return readFileSync("/proc/self/uid_map", "utf8")
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number])
      .some(([first, , count]) => uid >= first && uid < first + count)
  } catch {
    return false
  }
}

export const isRoot = process.getuid?.() === 0

/** User for one process: one that no other process has, if there are so many. */
export const ownUser = (): number | undefined => {
  if (!isRoot) return undefined
  if (exists(LEAST) && exists(MOST)) return randomInt(LEAST, MOST)
  return exists(NOBODY) ? NOBODY : undefined
}
